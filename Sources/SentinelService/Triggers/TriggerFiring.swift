// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// What happens when the cause of a trigger has come: it is counted, and not too often at once it is signalled,
/// recorded, and presentation toggled.
///
/// Confined to the loop's thread.
final class TriggerFiring {
    /// What each trigger is limited by: for each application by itself, since some are every application's.
    private struct Place: Hashable {
        let trigger: Name
        let application: ApplicationID
    }

    /// Toggles the presentation of an application.
    var toggle: ((KnownApplication) -> Void)?

    private let objects: ObjectServer
    private let clock: WallClock
    private let capture: EventCapture
    private var counts: [Name: UInt64] = [:]
    private var limits: [Place: FiringLimit] = [:]

    init(objects: ObjectServer, clock: WallClock, capture: EventCapture) {
        self.objects = objects
        self.clock = clock
        self.capture = capture
    }

    /// Fires a trigger for an application, unless that has happened too often within a second.
    ///
    /// - Returns: whether it has fired; it was counted in any case.
    @discardableResult
    func fire(_ trigger: Name, _ kind: String, of application: KnownApplication, presents: Bool) -> Bool {
        count(trigger)
        let place = Place(trigger: trigger, application: application.id)
        guard limits[place, default: FiringLimit()].admits(at: .now) else { return false }
        let details: [Key: Value] = ["kind": .string(kind), "time": .int64(clock.now().microseconds)]
        objects.emit(
            Sentinel1.Triggered(applicationID: application.id.text, triggerID: trigger.text, details: details),
            from: ServiceObject.path)
        capture.note(
            .sentinelTrigger, of: application.id, [["trigger": .text(trigger.text), "kind": .text(kind)]])
        if presents {
            toggle?(application)
        }
        return true
    }

    /// Counts the cause of a trigger that nobody is meant by.
    func count(_ trigger: Name) {
        counts[trigger, default: 0] &+= 1
    }

    /// How often the cause of a trigger has come.
    func count(of trigger: Name) -> UInt64 { counts[trigger] ?? 0 }

    /// Lets go of what is known of a trigger that is gone.
    func forget(_ trigger: Name) {
        counts[trigger] = nil
        limits = limits.filter { $0.key.trigger != trigger }
    }

    /// Lets go of what is known of an application that has been forgotten.
    func forget(_ application: ApplicationID) {
        limits = limits.filter { $0.key.application != application }
    }
}
