// SPDX-License-Identifier: MIT

extension DeviceFacts {
    /// The kinds of fact; the raw value of those that `org.sentinel.Device1` publishes is the property's name.
    public enum Kind: String, CaseIterable, Sendable {
        case name = "Name"
        case model = "Model"
        case vendor = "Vendor"
        case chassis = "Chassis"
        case systemVersion = "SystemVersion"
        case kernel = "Kernel"
        case architecture = "Architecture"
        case identifier = "Identifier"
        case processor = "Processor"
        case processorCount = "ProcessorCount"
        case memoryTotal = "MemoryTotal"
        case batteryState = "BatteryState"
        case batteryLevel = "BatteryLevel"
        case proximity = "ProximityState"
        case locale = "Locale"
        case timeZone = "TimeZone"
        case sessionType = "SessionType"
        case desktop = "Desktop"
        case bootTime = "BootTime"
        case kernelBuild
        case virtualization
        case firmware
        case displays
        case sessionState
        case sessionIsLocked

        /// Whether `org.sentinel.Device1` has a property of that name.
        public var isPublished: Bool { rawValue.utf8.first.map { $0 < UInt8(ascii: "a") } ?? false }
    }

    /// The kinds of fact whose values are others than in `earlier`, whatever their sources. The memory that is
    /// available is left out: it never stays the same.
    public func changes(since earlier: DeviceFacts) -> Set<Kind> {
        Set(Kind.allCases.filter { isChanged($0, since: earlier) })
    }

    private func isChanged(_ kind: Kind, since earlier: DeviceFacts) -> Bool {
        switch kind {
        case .name: differ(\.name, earlier)
        case .model: differ(\.model, earlier)
        case .vendor: differ(\.vendor, earlier)
        case .chassis: differ(\.chassis, earlier)
        case .systemVersion: differ(\.systemVersion, earlier)
        case .kernel: differ(\.kernel, earlier)
        case .architecture: differ(\.architecture, earlier)
        case .identifier: differ(\.identifier, earlier)
        case .processor: differ(\.processor, earlier)
        case .processorCount: processorCount.value != earlier.processorCount.value
        case .memoryTotal: memoryTotal.value != earlier.memoryTotal.value
        case .batteryState: batteryState.value != earlier.batteryState.value
        case .batteryLevel: batteryLevel.value != earlier.batteryLevel.value
        case .proximity: proximity.value != earlier.proximity.value
        case .locale: differ(\.locale, earlier)
        case .timeZone: differ(\.timeZone, earlier)
        case .sessionType: differ(\.sessionType, earlier)
        case .desktop: differ(\.desktop, earlier)
        case .bootTime: bootTime.value != earlier.bootTime.value
        case .kernelBuild: differ(\.kernelBuild, earlier)
        case .virtualization: differ(\.virtualization, earlier)
        case .firmware: differ(\.firmware, earlier)
        case .displays: displays.value != earlier.displays.value
        case .sessionState: differ(\.sessionState, earlier)
        case .sessionIsLocked: sessionIsLocked.value != earlier.sessionIsLocked.value
        }
    }

    /// Texts differ if their bytes do: a name that is only composed otherwise is another one on the bus.
    private func differ(_ fact: KeyPath<DeviceFacts, DeviceFact<String>>, _ earlier: DeviceFacts) -> Bool {
        switch (self[keyPath: fact].value, earlier[keyPath: fact].value) {
        case (nil, nil): false
        case (let now?, let then?): !now.utf8.elementsEqual(then.utf8)
        default: true
        }
    }
}
