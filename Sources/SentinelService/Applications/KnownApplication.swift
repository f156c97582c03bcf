// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// An application that the service knows, with its running instances.
///
/// Confined to the loop's thread.
final class KnownApplication {
    /// A process that has registered as the application.
    struct Instance {
        let client: BusName
        let processID: UInt32
        var registration: Registration
        /// When it registered.
        var start = ContinuousClock.now
    }

    var record: ApplicationRecord
    /// What a manifest says of it; what instances have said counts more.
    var description: Manifest.Description?
    /// What files and the newest instance's process told when they were last read; nil before.
    var profile: ApplicationProfile?
    /// The number of the reading that ``profile`` is of; 0 before the first.
    var profileNumber: UInt64 = 0
    /// The instances, the oldest first; each has a client of its own.
    private(set) var instances: [Instance] = []

    init(_ record: ApplicationRecord) {
        self.record = record
    }

    var id: ApplicationID { record.id }

    /// The name for people.
    var name: String {
        let name = Self.first(record.name, description?.name)
        return name.isEmpty ? record.id.text : name
    }

    /// Icon name, or path; empty where nobody has said one.
    var icon: String { Self.first(record.icon, description?.icon) }

    /// Version for people; empty where nobody has said one.
    var version: String { Self.first(record.version, description?.version) }

    /// Build for developers; empty where nobody has said one.
    var build: String { Self.first(record.build, description?.build) }

    private static func first(_ text: String, _ other: String?) -> String {
        text.isEmpty ? other ?? "" : text
    }

    /// Changes what it is called.
    ///
    /// - Returns: the properties that have changed by it.
    func change(_ body: (KnownApplication) -> Void) -> [Application1.Property] {
        let properties: [Application1.Property] = [.name, .icon, .version, .build]
        let before = [name, icon, version, build]
        body(self)
        let after = [name, icon, version, build]
        return zip(properties, zip(before, after)).compactMap { property, texts in
            texts.0.utf8.elementsEqual(texts.1.utf8) ? nil : property
        }
    }

    var isRunning: Bool { !instances.isEmpty }

    /// The process of the newest instance; 0 if there is none.
    var processID: UInt32 { instances.last?.processID ?? 0 }

    /// What the newest instance that said anything was started with; nil if none has.
    var launch: [Key: Value]? { instances.last { $0.registration.launch != nil }?.registration.launch }

    /// Adds an instance, or takes over what one says anew.
    ///
    /// - Returns: the properties that have changed by it.
    func update(_ instance: Instance) -> [Application1.Property] {
        guard let index = instances.firstIndex(where: { $0.client == instance.client }) else {
            instances.append(instance)
            return instances.count == 1 ? [.running, .instances, .processID] : [.instances, .processID]
        }
        guard instances[index].registration.attributes != instance.registration.attributes else {
            instances[index].registration = instance.registration
            return []
        }
        instances[index].registration = instance.registration
        return [.instances]
    }

    /// Removes the instance of a client.
    ///
    /// - Returns: the properties that have changed by it.
    func removeInstance(of client: BusName) -> [Application1.Property] {
        guard let index = instances.firstIndex(where: { $0.client == client }) else { return [] }
        instances.remove(at: index)
        return instances.isEmpty ? [.running, .instances, .processID] : [.instances, .processID]
    }
}
