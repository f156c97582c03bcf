// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// The screen Device: what is known of the machine and the session, each fact with its source.
enum DeviceScreen {
    static func sections(_ facts: DeviceFacts) -> [Section] {
        [
            Section(
                "machine", "Machine",
                [
                    item("name", "Name", facts.name),
                    item("model", "Model", facts.model),
                    item("vendor", "Vendor", facts.vendor),
                    item("chassis", "Chassis", facts.chassis),
                    item("firmware", "Firmware", facts.firmware),
                    item("virtualization", "Virtualization", facts.virtualization),
                    item("identifier", "Identifier for Sentinel", facts.identifier),
                ]),
            Section(
                "system", "System",
                [
                    item("system_version", "Operating system", facts.systemVersion),
                    item("kernel", "Kernel", facts.kernel),
                    item("kernel_build", "Kernel build", facts.kernelBuild),
                    item("architecture", "Architecture", facts.architecture),
                    item("boot_time", "Started", facts.bootTime) { $0.description },
                ]),
            Section(
                "resources", "Processor and memory",
                [
                    item("processor", "Processor", facts.processor),
                    item("processor_count", "Processors online", facts.processorCount),
                    item("memory_total", "Memory", facts.memoryTotal, unit: "bytes"),
                    item("memory_available", "Memory available", facts.memoryAvailable, unit: "bytes"),
                ]),
            Section(
                "power", "Power and sensors",
                [
                    item("battery_state", "Battery", facts.batteryState) { $0.rawValue },
                    item("battery_level", "Battery level", facts.batteryLevel, unit: "%") { $0.rounded() },
                    item("proximity_state", "Proximity", facts.proximity) { $0.rawValue },
                ]),
            Section(
                "session", "Session",
                [
                    item("session_type", "Type", facts.sessionType),
                    item("desktop", "Desktop", facts.desktop),
                    item("session_state", "State", facts.sessionState),
                    item("session_locked", "Locked", facts.sessionIsLocked),
                    item("displays", "Displays", facts.displays) { $0.joined(separator: ", ") },
                    item("locale", "Locale", facts.locale),
                    item("time_zone", "Time zone", facts.timeZone),
                ]),
        ]
    }

    private static func item<Known: ScreenValue>(
        _ id: String, _ title: String, _ fact: DeviceFact<Known>, unit: String? = nil
    ) -> Item {
        item(id, title, fact, unit: unit) { $0 }
    }

    private static func item<Known, Shown: ScreenValue>(
        _ id: String, _ title: String, _ fact: DeviceFact<Known>, unit: String? = nil, show: (Known) -> Shown
    ) -> Item {
        .fact(
            id, title, fact.value.map(show), unit: unit, description: fact.source.map { "source: \($0)" },
            otherwise: fact.reason ?? "it is not known")
    }
}
