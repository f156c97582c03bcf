// SPDX-License-Identifier: MIT

import SentinelModels
import SystemFacts

extension DeviceFacts {
    /// The facts that `org.sentinel.Device1` publishes as a JSON object, with the names of the properties; what is not
    /// known is left out.
    var document: JSONValue {
        let members: [(key: String, value: JSONValue?)] = [
            ("name", name.value.map(JSONValue.string)),
            ("model", model.value.map(JSONValue.string)),
            ("vendor", vendor.value.map(JSONValue.string)),
            ("chassis", chassis.value.map(JSONValue.string)),
            ("system_version", systemVersion.value.map(JSONValue.string)),
            ("kernel", kernel.value.map(JSONValue.string)),
            ("architecture", architecture.value.map(JSONValue.string)),
            ("identifier", identifier.value.map(JSONValue.string)),
            ("processor", processor.value.map(JSONValue.string)),
            ("processor_count", processorCount.value.map { .integer(Int64($0)) }),
            ("memory_total", memoryTotal.value.map(JSONValue.unsigned)),
            ("battery_state", batteryState.value.map { .string($0.rawValue) }),
            ("battery_level", batteryLevel.value.map(JSONValue.double)),
            ("proximity_state", proximity.value.map { .string($0.rawValue) }),
            ("locale", locale.value.map(JSONValue.string)),
            ("time_zone", timeZone.value.map(JSONValue.string)),
            ("session_type", sessionType.value.map(JSONValue.string)),
            ("desktop", desktop.value.map(JSONValue.string)),
            ("boot_time", bootTime.value.map { .integer($0.microseconds) }),
        ]
        return .object(
            members.compactMap { member in
                member.value.map { (member.key, $0) }
            })
    }
}
