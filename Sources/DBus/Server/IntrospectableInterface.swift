// SPDX-License-Identifier: MIT

/// `org.freedesktop.DBus.Introspectable`.
final class IntrospectableInterface: InterfaceImplementation {
    let description = InterfaceDescription(
        "org.freedesktop.DBus.Introspectable",
        methods: [InterfaceDescription.Method("Introspect", arguments: "", results: "s")],
        xml: """
             <interface name="org.freedesktop.DBus.Introspectable">
              <method name="Introspect">
               <arg type="s" name="xml_data" direction="out"/>
              </method>
             </interface>
            """)

    private unowned let server: ObjectServer

    init(_ server: ObjectServer) {
        self.server = server
    }

    func invoke(_ index: Int, _ call: MethodCall) throws(DBusError) {
        let xml = try server.introspection(of: call.message.path ?? .root)
        Reply<String>(call)(xml)
    }
}
