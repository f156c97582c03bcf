#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Calls Sentinel with dbus-python, with and without introspection and interfaces, and prints what comes back."""

import dbus

bus = dbus.SessionBus()
bare = bus.get_object("org.sentinel", "/org/sentinel", introspect=False)
known = dbus.Interface(bus.get_object("org.sentinel", "/org/sentinel"), "org.sentinel.Sentinel1")


def refusal(call, *arguments, **options):
    try:
        return call(*arguments, **options)
    except dbus.DBusException as error:
        return error.get_dbus_name() + ": " + error.get_dbus_message()


# With introspection an empty dictionary needs no signature.
print("registered:", known.Register("com.example.Calls", {}))
for entry in known.ListApplications():
    print("known:", *[f"{type(field).__name__}={field}" for field in entry[:4]])
# Without an interface the only one that fits is meant.
print("version:", bare.Get("org.sentinel.Sentinel1", "Version"))
print("no interface for the property:", bare.Get("", "Health"))
print("several fit:", refusal(bare.Content))
print("none has it:", refusal(bare.NoSuchMember))
print("wrong type:", refusal(bare.Unregister, dbus.Int32(5), dbus.Dictionary({}, signature="sv")))
print("wrong option:", refusal(known.Register, "com.example.Calls", {"name": dbus.Int32(5)}))
print("forgotten:", bare.Forget("com.example.Calls", dbus.Dictionary({}, signature="sv")))
LOG = "org.freedesktop.LogControl1"
log_control = bus.get_object("org.sentinel", "/org/freedesktop/LogControl1", introspect=False)
print("no variant:", refusal(log_control.Set, LOG, "LogLevel", "debug"))
# A call that wants no reply is done all the same, before what comes after it.
log_control.Set(LOG, "LogLevel", dbus.String("debug", variant_level=1), ignore_reply=True)
print("without a reply:", log_control.Get(LOG, "LogLevel"))
