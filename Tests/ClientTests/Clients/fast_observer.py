#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Prints what the object manager and the application objects of Sentinel tell, with dbus-fast."""

import asyncio

from dbus_fast import Variant
from dbus_fast.aio import MessageBus

APPLICATION = "org.sentinel.Application1"


def plain(value):
    """The value without the variants around it, also within it."""
    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in sorted(value.items())}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


async def main():
    bus = await MessageBus().connect()

    async def interface(path, name):
        introspection = await bus.introspect("org.sentinel", path)
        return bus.get_proxy_object("org.sentinel", path, introspection).get_interface(name)

    def tell(*words):
        print(*words, flush=True)

    async def watch(path):
        properties = await interface(path, "org.freedesktop.DBus.Properties")

        def changed(name, values, invalidated):
            del values["Instances"]
            tell("changed", path, name, plain(values), invalidated)

        properties.on_properties_changed(changed)
        tell("watching", path)

    def added(path, interfaces):
        tell("added", path, plain(interfaces[APPLICATION])["Name"], sorted(interfaces))
        asyncio.ensure_future(watch(path))

    manager = await interface("/org/sentinel", "org.freedesktop.DBus.ObjectManager")
    manager.on_interfaces_added(added)
    manager.on_interfaces_removed(lambda path, interfaces: tell("removed", path, sorted(interfaces)))
    for path, interfaces in sorted((await manager.call_get_managed_objects()).items()):
        facts = plain(interfaces[APPLICATION])
        tell("managed", path, facts["Id"], facts["Name"], facts["Running"])
        await watch(path)
    tell("ready")
    await bus.wait_for_disconnect()


asyncio.run(main())
