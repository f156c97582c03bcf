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
    private let profiles: ApplicationProfiles
    private let performance: PerformanceDirectory
    private let tools: ToolDirectory
    private let serviceTools: ServiceTools
    private let link: ProviderLink
    private let preferences: PreferenceService
    private var objects: [ApplicationID: ExportedObject] = [:]

    init(
        _ registry: ApplicationRegistry, profiles: ApplicationProfiles, performance: PerformanceDirectory,
        tools: ToolDirectory, serviceTools: ServiceTools, link: ProviderLink, preferences: PreferenceService
    ) {
        self.registry = registry
        self.profiles = profiles
        self.performance = performance
        self.tools = tools
        self.serviceTools = serviceTools
        self.link = link
        self.preferences = preferences
    }

    /// The path of an application's object.
    static func path(of id: ApplicationID) throws(DBusError) -> ObjectPath {
        id == .sentinel ? ServiceObject.path : try root.appending(id.busLabel)
    }

    /// The interfaces that every application has.
    func interfaces(of application: KnownApplication, at path: ObjectPath) -> [any InterfaceImplementation] {
        [
            Application1Implementation(ApplicationFacts(application, profiles: profiles)),
            application.id == .sentinel
                ? Tools1Implementation(serviceTools)
                : Tools1Implementation(ApplicationTools(application, directory: tools, link: link)),
            preferences.interface(of: application),
            Performance1Implementation(
                ApplicationPerformance(application, path: path, directory: performance)),
        ]
    }

    /// The names of the interfaces that every application has.
    private static let interfaceNames = [Application1.name, Tools1.name, Preferences1.name, Performance1.name]

    var childNames: [String] {
        registry.others.map(\.id.busLabel).sorted()
    }

    func object(named name: String) -> ExportedObject? {
        guard let id = Self.id(of: name), id != .sentinel, let application = registry.find(id) else { return nil }
        if let object = objects[id] {
            return object
        }
        do {
            let object = ExportedObject(interfaces(of: application, at: try Self.path(of: id)))
            objects[id] = object
            return object
        } catch {
            // A label that is part of no path belongs to no object.
            return nil
        }
    }

    /// Lets go of the object of an application that has been forgotten.
    ///
    /// - Returns: the interfaces that it had.
    func release(_ application: KnownApplication) -> [InterfaceName] {
        objects[application.id] = nil
        return Self.interfaceNames
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
