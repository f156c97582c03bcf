// SPDX-License-Identifier: MIT

/// `org.freedesktop.DBus.Properties`.
final class PropertiesInterface: InterfaceImplementation {
    let description = InterfaceDescription(
        "org.freedesktop.DBus.Properties",
        methods: [
            InterfaceDescription.Method("Get", arguments: "ss", results: "v"),
            InterfaceDescription.Method("GetAll", arguments: "s", results: "a{sv}"),
            InterfaceDescription.Method("Set", arguments: "ssv", results: ""),
        ],
        xml: """
             <interface name="org.freedesktop.DBus.Properties">
              <method name="Get">
               <arg type="s" name="interface_name" direction="in"/>
               <arg type="s" name="property_name" direction="in"/>
               <arg type="v" name="value" direction="out"/>
              </method>
              <method name="GetAll">
               <arg type="s" name="interface_name" direction="in"/>
               <arg type="a{sv}" name="properties" direction="out"/>
              </method>
              <method name="Set">
               <arg type="s" name="interface_name" direction="in"/>
               <arg type="s" name="property_name" direction="in"/>
               <arg type="v" name="value" direction="in"/>
              </method>
              <signal name="PropertiesChanged">
               <arg type="s" name="interface_name"/>
               <arg type="a{sv}" name="changed_properties"/>
               <arg type="as" name="invalidated_properties"/>
              </signal>
             </interface>
            """)

    private unowned let server: ObjectServer

    init(_ server: ObjectServer) {
        self.server = server
    }

    func invoke(_ index: Int, _ call: MethodCall) throws(DBusError) {
        var arguments = call.message.body
        let object = try object(of: call)
        let interfaceName: String = try arguments.read()
        switch index {
        case 0:
            let (interface, place) = try find(try arguments.read(), interfaceName, in: object)
            let value = try interface.property(place)
            call.answer { (writer) throws(DBusError) in try writer.variant(value) }
        case 1:
            let interfaces = interfaceName.isEmpty ? object.interfaces : [try interface(interfaceName, in: object)]
            Reply<[Key: PropertyValue]>(call)(Self.values(of: interfaces))
        default:
            let (interface, place) = try find(try arguments.read(), interfaceName, in: object)
            let property = interface.description.properties[place]
            guard property.isWritable else {
                throw DBusError(.propertyReadOnly, "the property \(property.name) cannot be written")
            }
            do throws(DBusError) {
                try interface.setProperty(place, to: try arguments.read(), call)
            } catch {
                throw DBusError(error.code, "property \(property.name): \(error.message)", underlying: error)
            }
        }
    }

    /// The properties of interfaces that can be had, with those that are not made known on change or without.
    static func values(
        of interfaces: [any InterfaceImplementation], includingUnsignalled: Bool = true
    ) -> [Key: PropertyValue] {
        var values: [Key: PropertyValue] = [:]
        for interface in interfaces {
            for (index, property) in interface.description.properties.enumerated()
            where includingUnsignalled || property.changeSignal != .none {
                // What cannot be had is left out; asking for it alone tells why.
                if let value = try? interface.property(index) {
                    values[Key(property.name.text)] = PropertyValue(value)
                }
            }
        }
        return values
    }

    private func object(of call: MethodCall) throws(DBusError) -> ExportedObject {
        guard let path = call.message.path, let object = server.object(at: path) else {
            throw DBusError(.unknownObject, "the object has gone")
        }
        return object
    }

    private func interface(
        _ name: String, in object: ExportedObject
    ) throws(DBusError) -> any InterfaceImplementation {
        let name = try InterfaceName(name)
        if let standard = server.standardInterface(name, for: object) {
            return standard
        }
        return try object.interface(name)
    }

    /// Finds a property: in the interface that is named, or in the only one that has it if the name is empty.
    private func find(
        _ name: String, _ interfaceName: String, in object: ExportedObject
    ) throws(DBusError) -> (any InterfaceImplementation, Int) {
        let member = try MemberName(name)
        let interfaces = interfaceName.isEmpty ? object.interfaces : [try interface(interfaceName, in: object)]
        let found = interfaces.compactMap { interface in
            interface.description.index(ofProperty: member).map { (interface, $0) }
        }
        guard let first = found.first else {
            throw DBusError(.unknownProperty, "there is no property \(member)")
        }
        guard found.count == 1 else {
            let candidates = found.map(\.0.description.name.text).joined(separator: ", ")
            throw DBusError(.unknownProperty, "more than one property \(member); name one of: \(candidates)")
        }
        return first
    }
}
