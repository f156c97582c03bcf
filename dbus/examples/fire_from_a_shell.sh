#!/bin/sh
# SPDX-License-Identifier: MIT
# Fires the debug menu of an application from a shell, in all the ways there are: fire_from_a_shell.sh [APPLICATION-ID]
set -eu
application=${1:-org.sentinel}

# A signal costs least: nobody answers, and whoever sends it need not stay. It starts nothing that does not run.
gdbus emit --session --object-path / --signal org.sentinel.Notification.Trigger "$application"
busctl --user emit / org.sentinel.Notification Trigger s "$application"

# A call starts Sentinel where it can be started, and says what is wrong: this fails where nobody knows the application.
busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 Trigger 'sa{sv}' "$application" 0
gdbus call --session --dest org.sentinel --object-path /org/sentinel \
    --method org.sentinel.Sentinel1.Trigger "$application" '{}'

# Each has toggled what is presented: an even number of times is as before.
