// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// `org.sentinel.Device1`.
///
/// Confined to the loop's thread.
final class DeviceObject: Device1Handler {
    private let monitor: DeviceMonitor

    init(_ monitor: DeviceMonitor) {
        self.monitor = monitor
    }

    /// What is known. The system services are asked, and followed, from the first time that somebody wants to know.
    private var facts: DeviceFacts {
        monitor.start()
        return monitor.facts
    }

    var name: String { facts.name.value ?? "" }
    var model: String { facts.model.value ?? "" }
    var vendor: String { facts.vendor.value ?? "" }
    var chassis: String { facts.chassis.value ?? "" }
    var systemVersion: String { facts.systemVersion.value ?? "" }
    var kernel: String { facts.kernel.value ?? "" }
    var architecture: String { facts.architecture.value ?? "" }
    var identifier: String { facts.identifier.value ?? "" }
    var processor: String { facts.processor.value ?? "" }
    var processorCount: UInt32 { facts.processorCount.value ?? 0 }
    var memoryTotal: UInt64 { facts.memoryTotal.value ?? 0 }
    var batteryState: String { (facts.batteryState.value ?? .unknown).rawValue }
    var batteryLevel: Double { facts.batteryLevel.value ?? -1 }
    var proximityState: String { (facts.proximity.value ?? .unavailable).rawValue }
    var locale: String { facts.locale.value ?? "" }
    var timeZone: String { facts.timeZone.value ?? "" }
    var sessionType: String { facts.sessionType.value ?? "" }
    var desktop: String { facts.desktop.value ?? "" }
    var bootTime: Int64 { facts.bootTime.value?.microseconds ?? 0 }

    func content(reply: Reply<[Section]>) {
        monitor.start()
        monitor.refresh { facts in reply(DeviceScreen.sections(facts)) }
    }
}

extension Device1.Property {
    /// The property that publishes a kind of fact; nil for facts that the screen alone shows.
    init?(_ kind: DeviceFacts.Kind) {
        guard kind.isPublished,
            let index = Device1.description.properties.firstIndex(where: { $0.name.text == kind.rawValue })
        else { return nil }
        self.init(rawValue: index)
    }
}
