#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An application on dbus-fast: it registers, declares a preference and a tool with an action, reads, and listens."""

import asyncio

from dbus_fast import Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, method

APP = "/org/sentinel/apps/com_2eexample_2ePython"
PROVIDER = "/com/example/Python"


class Provider(ServiceInterface):
    @method()
    def Invoke(self, tool: "s", action: "s", parameters: "a{sv}") -> "a{sv}":
        print(f"{action} {parameters['who'].value}", flush=True)
        return {"greeting": Variant("s", f"Hello {parameters['who'].value}")}


async def main():
    bus = await MessageBus().connect()

    async def interface(path, name):
        proxy = bus.get_proxy_object("org.sentinel", path, await bus.introspect("org.sentinel", path))
        return proxy.get_interface(f"org.sentinel.{name}")

    bus.export(PROVIDER, Provider("org.sentinel.Provider1"))
    sentinel = await interface("/org/sentinel", "Sentinel1")
    await sentinel.call_register("com.example.Python", {"provider": Variant("o", PROVIDER)})
    preferences, tools = await interface(APP, "Preferences1"), await interface(APP, "Tools1")
    await preferences.call_declare([["verbose", "Verbose", Variant("b", False), {}]])
    who = {"parameters": Variant("a(sssa{sv})", [["who", "text", "Who", {}]])}
    greet = ["greet", "action", "Greet", Variant("s", ""), who]
    await tools.call_declare([["demo", "Demo", "table", [["main", "Main", [greet], {}]], {}]])
    preferences.on_changed(lambda keys, values: print("verbose is", values["verbose"].value, flush=True))
    print("verbose is", (await preferences.call_get("verbose")).value, flush=True)
    await bus.wait_for_disconnect()


asyncio.run(main())
