// SPDX-License-Identifier: MIT

/// An object with its interfaces; the standard ones come by themselves.
public final class ExportedObject {
    /// The interfaces in the order in which they are listed.
    public let interfaces: [any InterfaceImplementation]
    /// Whether the object lists those below it (`org.freedesktop.DBus.ObjectManager`).
    public let managesObjects: Bool

    /// Makes an object.
    public init(_ interfaces: [any InterfaceImplementation], managesObjects: Bool = false) {
        self.interfaces = interfaces
        self.managesObjects = managesObjects
    }

    /// Finds an interface.
    ///
    /// - Throws: ``DBusError`` with code `unknownInterface`.
    func interface(_ name: InterfaceName) throws(DBusError) -> any InterfaceImplementation {
        guard let found = interfaces.first(where: { $0.description.name == name }) else {
            throw DBusError(.unknownInterface, "the object has no interface \(name)")
        }
        return found
    }
}
