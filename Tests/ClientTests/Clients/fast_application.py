#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An application on dbus-fast: it registers, and registers again whenever the service has started anew."""

import asyncio

from dbus_fast import Variant
from dbus_fast.aio import MessageBus

APPLICATION = "com.example.Fast"


async def main():
    bus = await MessageBus().connect()
    introspection = await bus.introspect("org.sentinel", "/org/sentinel")
    service = bus.get_proxy_object("org.sentinel", "/org/sentinel", introspection)
    sentinel = service.get_interface("org.sentinel.Sentinel1")

    async def register():
        options = {"name": Variant("s", "Fast"), "version": Variant("s", "2.0")}
        print("registered as", await sentinel.call_register(APPLICATION, options), flush=True)

    sentinel.on_ready(lambda: asyncio.ensure_future(register()))
    await register()
    await bus.wait_for_disconnect()


asyncio.run(main())
