// SPDX-License-Identifier: MIT

import CDBus

/// `org.freedesktop.DBus.Peer`.
final class PeerInterface: InterfaceImplementation {
    let description = InterfaceDescription(
        "org.freedesktop.DBus.Peer",
        methods: [
            InterfaceDescription.Method("Ping", arguments: "", results: ""),
            InterfaceDescription.Method("GetMachineId", arguments: "", results: "s"),
        ],
        xml: """
             <interface name="org.freedesktop.DBus.Peer">
              <method name="Ping"/>
              <method name="GetMachineId">
               <arg type="s" name="machine_uuid" direction="out"/>
              </method>
             </interface>
            """)

    func invoke(_ index: Int, _ call: MethodCall) throws(DBusError) {
        if index == 0 {
            call.answer { _ in }
        } else {
            let identifier = try DBusError.catching { dbus_try_get_local_machine_id($0) }
            guard let identifier else { throw DBusError.outOfMemory }
            defer { dbus_free(identifier) }
            Reply<String>(call)(String(cString: identifier))
        }
    }
}
