// SPDX-License-Identifier: MIT

/// `org.freedesktop.DBus.ObjectManager`.
///
/// It leaves out the properties whose changes are not made known: a cache could not hold them right, and they can be
/// dear to read.
final class ObjectManagerInterface: InterfaceImplementation {
    static let name: InterfaceName = "org.freedesktop.DBus.ObjectManager"

    let description = InterfaceDescription(
        ObjectManagerInterface.name,
        methods: [InterfaceDescription.Method("GetManagedObjects", arguments: "", results: "a{oa{sa{sv}}}")],
        xml: """
             <interface name="org.freedesktop.DBus.ObjectManager">
              <method name="GetManagedObjects">
               <arg type="a{oa{sa{sv}}}" name="objects" direction="out"/>
              </method>
              <signal name="InterfacesAdded">
               <arg type="o" name="object"/>
               <arg type="a{sa{sv}}" name="interfaces"/>
              </signal>
              <signal name="InterfacesRemoved">
               <arg type="o" name="object"/>
               <arg type="as" name="interfaces"/>
              </signal>
             </interface>
            """)

    private unowned let server: ObjectServer

    init(_ server: ObjectServer) {
        self.server = server
    }

    func invoke(_ index: Int, _ call: MethodCall) throws(DBusError) {
        var contents: [ObjectPath: [Key: [Key: PropertyValue]]] = [:]
        for (path, object) in server.objects(below: call.message.path ?? .root) {
            contents[path] = Self.contents(of: object)
        }
        Reply<[ObjectPath: [Key: [Key: PropertyValue]]]>(call)(contents)
    }

    /// The interfaces of an object with their properties.
    static func contents(of object: ExportedObject) -> [Key: [Key: PropertyValue]] {
        var contents: [Key: [Key: PropertyValue]] = [:]
        for interface in object.interfaces {
            contents[Key(interface.description.name.text)] = PropertiesInterface.values(
                of: [interface], includingUnsignalled: false)
        }
        return contents
    }
}
