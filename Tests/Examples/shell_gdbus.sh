#!/bin/sh
# SPDX-License-Identifier: MIT
# An application in shell, with gdbus alone: it registers, declares a preference and a tool, reads, and listens.
# An action needs an object to be called, which gdbus cannot offer: here a writable item of the tool does its work.
set -eu
app=/org/sentinel/apps/com_2eexample_2eGdbus
call() { path=$1 && method=$2 && shift 2 && gdbus call -e -d org.sentinel -o "$path" -m "org.sentinel.$method" "$@"; }

call /org/sentinel Sentinel1.Register com.example.Gdbus "{'name': <'Example with gdbus'>}"
call $app Preferences1.Declare "[('verbose', 'Verbose', <false>, {})]"
call $app Tools1.Declare "[('demo', 'Demo', 'table', [('main', 'Main', [
    ('greeting', 'text', 'Greeting', <'Hello'>, {'writable': <true>}), ('greet', 'action', 'Greet', <''>, {})], {})], {})]"
call $app Preferences1.Get verbose

gdbus monitor -e -d org.sentinel -o $app | while read -r signal; do
    case $signal in
    *Preferences1.Changed*) echo "verbose is $(call $app Preferences1.Get verbose)" ;;
    *Tools1.ItemChanged*) call $app Tools1.Content demo ;;
    esac
done
