// SPDX-License-Identifier: MIT

/// The interfaces that objects have by themselves (D-Bus Specification, "Standard Interfaces").
final class StandardInterfaces {
    private let introspectable: IntrospectableInterface
    private let peer: PeerInterface
    private let properties: PropertiesInterface
    private let objectManager: ObjectManagerInterface

    init(_ server: ObjectServer) {
        introspectable = IntrospectableInterface(server)
        peer = PeerInterface()
        properties = PropertiesInterface(server)
        objectManager = ObjectManagerInterface(server)
    }

    /// Those that an object has; a path without an object has the first two.
    func all(for object: ExportedObject?) -> [any InterfaceImplementation] {
        guard let object else { return [introspectable, peer] }
        let common: [any InterfaceImplementation] = [introspectable, peer, properties]
        return object.managesObjects ? common + [objectManager] : common
    }

    /// Finds one that an object has.
    func interface(_ name: InterfaceName, for object: ExportedObject?) -> (any InterfaceImplementation)? {
        switch name {
        case properties.description.name where object != nil: properties
        case introspectable.description.name: introspectable
        case peer.description.name: peer
        case objectManager.description.name where object?.managesObjects == true: objectManager
        default: nil
        }
    }

    /// Whether everybody may call an interface: it tells nothing of what the service holds.
    func isOpen(_ interface: any InterfaceImplementation) -> Bool {
        interface === introspectable || interface === peer
    }
}
