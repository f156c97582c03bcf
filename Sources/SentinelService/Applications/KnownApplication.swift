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
    var name: String { record.name.isEmpty ? record.id.text : record.name }

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
