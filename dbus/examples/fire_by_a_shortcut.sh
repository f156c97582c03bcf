#!/bin/sh
# SPDX-License-Identifier: MIT
# Has a key combination fire the debug menu of an application: fire_by_a_shortcut.sh [APPLICATION-ID [KEYS]]
#
# Desktops with the GlobalShortcuts portal ask the person at them, who may choose other keys. The trigger is kept until
# RemoveTrigger. Where there is no such portal, set the keys in the desktop's settings and give them the command
#   gdbus emit --session --object-path / --signal org.sentinel.Notification.Trigger APPLICATION-ID
set -eu
application=${1:-org.sentinel}
keys=${2:-CTRL+ALT+d}

busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 AddTrigger 'ssa{sv}' \
    "$application" shortcut 2 preferred s "$keys" description s "Show the debug menu of $application"

# Whether the keys are bound by now is told with all triggers: available, and the reason where they are not.
busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 ListTriggers
