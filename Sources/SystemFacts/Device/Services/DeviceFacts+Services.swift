// SPDX-License-Identifier: MIT

import DBus

/// What the system services know better than the files.
extension DeviceFacts {
    /// Takes over what `org.freedesktop.hostname1(5)` tells.
    mutating func prefer(hostnamed service: ServiceReading) {
        name = service.text("PrettyHostname").orElse(service.text("Hostname")).orElse(name)
        model = Self.withoutPlaceholder(service.text("HardwareModel")).orElse(model)
        vendor = Self.withoutPlaceholder(service.text("HardwareVendor")).orElse(vendor)
        chassis = service.text("Chassis").map(
            { DeviceFiles.isChassis($0) ? $0 : nil }, otherwise: "no form that is known"
        ).orElse(chassis)
        systemVersion = service.text("OperatingSystemPrettyName").orElse(systemVersion)
        firmware = firmware.orElse(Self.withoutPlaceholder(service.text("FirmwareVersion")))
    }

    /// Takes over what UPower tells of its display device, which stands for all batteries of the machine.
    mutating func prefer(upower service: ServiceReading) {
        let kind = service.code("Type")
        let isPresent = service.truth("IsPresent")
        // A display device of another type than battery stands for none; a UPS is not the machine's own.
        let isBattery = kind.value == 2 && isPresent.value == true
        guard let _ = kind.value, let _ = isPresent.value else {
            let problem = DeviceFact<BatteryState>.unknown(kind.reason ?? isPresent.reason ?? service.label)
            batteryState = problem.orElse(batteryState)
            batteryLevel = DeviceFact<Double>.unknown(problem.reason ?? service.label).orElse(batteryLevel)
            return
        }
        guard isBattery else {
            batteryState = .known(.absent, from: service.label)
            batteryLevel = .unknown("\(service.label): there is no battery")
            return
        }
        let state = service.code("State").map(Self.batteryState, otherwise: "no state of those that are known here")
        // Where the files know of no battery, as in a container, they do not tell what UPower's does.
        batteryState = state.orElse(
            batteryState.value == .absent ? .unknown("\(service.label): there is a battery") : batteryState)
        batteryLevel = service.fact("Percentage", "a number from 0 to 100") { value in
            guard case .double(let percentage) = value, (0...100).contains(percentage) else { return nil }
            return percentage
        }.orElse(batteryLevel)
    }

    /// UPower's states; empty, pending charge and pending discharge are neither of ours.
    private static func batteryState(_ code: UInt32) -> BatteryState? {
        switch code {
        case 1: .charging
        case 2: .discharging
        case 4: .full
        default: nil
        }
    }

    /// Takes over what `org.freedesktop.login1(5)` tells of this session.
    mutating func prefer(logind service: ServiceReading) {
        let kind = service.text("Type").map({ $0 == "unspecified" ? nil : $0 }, otherwise: "unspecified")
        sessionType = kind.orElse(sessionType)
        desktop = desktop.orElse(service.text("Desktop"))
        sessionState = service.text("State").map(
            { ["online", "active", "closing"].contains($0) ? $0 : nil }, otherwise: "no state that is known")
        sessionIsLocked = service.truth("LockedHint")
    }

    /// Takes over what iio-sensor-proxy tells.
    ///
    /// - Parameter isClaimed: whether the sensor has been switched on since the service came; what it tells before is
    ///   no reading.
    mutating func prefer(sensors service: ServiceReading, isClaimed: Bool, claimProblem: String?) {
        let hasSensor = service.truth("HasProximity")
        switch hasSensor.value {
        case nil:
            proximity = .unknown(hasSensor.reason ?? service.label)
        case false?:
            proximity = .known(.unavailable, from: service.label)
        case true? where isClaimed:
            proximity = service.truth("ProximityNear").map({ $0 ? .near : .far }, otherwise: "")
        case true?:
            proximity = .unknown("\(service.label): \(claimProblem ?? "the sensor is read when somebody asks")")
        }
    }

    private static func withoutPlaceholder(_ text: DeviceFact<String>) -> DeviceFact<String> {
        text.map({ FactText.isPlaceholder($0) ? nil : $0 }, otherwise: "a placeholder, not a fact")
    }
}
