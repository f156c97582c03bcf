// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// The objects of the known applications, below `/org/sentinel/apps`.
///
/// Confined to the loop's thread.
final class ApplicationObjects: ObjectSubtree {
    /// The path below which the objects are.
    static let root: ObjectPath = "/org/sentinel/apps"

    private let registry: ApplicationRegistry
    private var objects: [ApplicationID: ExportedObject] = [:]

    init(_ registry: ApplicationRegistry) {
        self.registry = registry
    }

    /// The path of an application's object.
    static func path(of id: ApplicationID) throws(DBusError) -> ObjectPath {
        id == .sentinel ? ServiceObject.path : try root.appending(id.busLabel)
    }

    /// The interfaces that every application has.
    static func interfaces(of application: KnownApplication) -> [any InterfaceImplementation] {
        [
            Application1Implementation(ApplicationFacts(application)),
            AbsentInterface(Tools1.description),
            AbsentInterface(Preferences1.description),
            AbsentInterface(Performance1.description),
        ]
    }

    var childNames: [String] {
        registry.others.map(\.id.busLabel).sorted()
    }

    func object(named name: String) -> ExportedObject? {
        guard let id = Self.id(of: name), id != .sentinel, let application = registry.find(id) else { return nil }
        if let object = objects[id] {
            return object
        }
        let object = ExportedObject(Self.interfaces(of: application))
        objects[id] = object
        return object
    }

    /// Lets go of the object of an application that has been forgotten.
    ///
    /// - Returns: the interfaces that it had.
    func release(_ application: KnownApplication) -> [InterfaceName] {
        let object = objects.removeValue(forKey: application.id)
        return (object?.interfaces ?? Self.interfaces(of: application)).map(\.description.name)
    }

    private static func id(of label: String) -> ApplicationID? {
        do {
            return try ApplicationID(busLabel: label)
        } catch {
            // A path that stands for no id is one that has no object.
            return nil
        }
    }
}
