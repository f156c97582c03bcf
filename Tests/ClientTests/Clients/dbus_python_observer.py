#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Prints what the object manager and the application objects of Sentinel tell, with dbus-python."""

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

APPLICATION = "org.sentinel.Application1"

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()


def tell(*words):
    print(*words, flush=True)


def names(interfaces):
    return sorted(str(name) for name in interfaces)


def added(path, interfaces):
    tell("added", path, interfaces[APPLICATION]["Name"], names(interfaces))


def removed(path, interfaces):
    tell("removed", path, names(interfaces))


def changed(name, values, invalidated, path):
    tell("changed", path, name, names(values), names(invalidated))


MANAGER = "org.freedesktop.DBus.ObjectManager"
bus.add_signal_receiver(added, "InterfacesAdded", MANAGER, "org.sentinel")
bus.add_signal_receiver(removed, "InterfacesRemoved", MANAGER, "org.sentinel")
bus.add_signal_receiver(
    changed, "PropertiesChanged", "org.freedesktop.DBus.Properties", "org.sentinel", path_keyword="path")
manager = dbus.Interface(bus.get_object("org.sentinel", "/org/sentinel"), MANAGER)
for path, interfaces in sorted(manager.GetManagedObjects().items()):
    tell("managed", path, interfaces[APPLICATION]["Id"], bool(interfaces[APPLICATION]["Running"]))
tell("ready")
GLib.MainLoop().run()
