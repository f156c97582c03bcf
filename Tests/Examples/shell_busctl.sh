#!/bin/sh
# SPDX-License-Identifier: MIT
# An application in shell, with busctl alone: it registers, declares a preference and a tool, reads, and listens.
# An action needs an object to be called, which busctl cannot offer: here a writable item of the tool does its work.
set -eu
app=/org/sentinel/apps/com_2eexample_2eBusctl
call() { busctl --user call org.sentinel "$@"; }

call /org/sentinel org.sentinel.Sentinel1 Register 'sa{sv}' com.example.Busctl 1 name s 'Example with busctl'
call $app org.sentinel.Preferences1 Declare 'a(ssva{sv})' 1 verbose Verbose b false 0
call $app org.sentinel.Tools1 Declare 'a(sssa(ssa(sssva{sv})a{sv})a{sv})' 1 demo Demo table \
    1 main Main 2 greeting text Greeting s Hello 1 writable b true greet action Greet s '' 0 0 0
call $app org.sentinel.Preferences1 Get s verbose

busctl --user monitor --json=short --match="type='signal',path='$app'" | while read -r signal; do
    case $signal in
    *'"Changed"'*) echo "verbose is $(call $app org.sentinel.Preferences1 Get s verbose)" ;;
    *'"ItemChanged"'*) call $app org.sentinel.Tools1 Content s demo ;;
    esac
done
