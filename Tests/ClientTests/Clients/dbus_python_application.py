#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An application on dbus-python: it registers, and registers again whenever the service has started anew.

It leaves the interface out of its calls, as dbus-python lets it.
"""

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

APPLICATION = "com.example.Python"

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()


def register():
    service = bus.get_object("org.sentinel", "/org/sentinel", introspect=False)
    path = service.Register(APPLICATION, dbus.Dictionary({"name": "Python"}, signature="sv"))
    print("registered as", path, type(path).__name__, flush=True)


bus.add_signal_receiver(register, "Ready", "org.sentinel.Sentinel1", path="/org/sentinel")
register()
GLib.MainLoop().run()
