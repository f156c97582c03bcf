// SPDX-License-Identifier: MIT

import DBus

/// The system services that know of the device, together.
///
/// Confined to the loop's thread.
final class DeviceServices: @unchecked Sendable {
    private let hostnamed: ServiceProperties
    private let upower: ServiceProperties
    private let logind: ServiceProperties
    private let sensors: ServiceProperties
    private let proximity: ProximitySensor

    /// Called when one of them has told something else.
    var onChange: (@Sendable () -> Void)? {
        didSet {
            for service in all {
                service.onChange = onChange
            }
        }
    }

    init(on loop: EventLoop, deadline: Duration, sensorHoldTime: Duration) {
        hostnamed = ServiceProperties(.hostnamed, on: loop, deadline: deadline)
        upower = ServiceProperties(.upower, on: loop, deadline: deadline)
        logind = ServiceProperties(.logind, on: loop, deadline: deadline)
        sensors = ServiceProperties(.sensors, on: loop, deadline: deadline)
        proximity = ProximitySensor(sensors, on: loop, holdTime: sensorHoldTime)
    }

    private var all: [ServiceProperties] { [hostnamed, upower, logind, sensors] }

    /// What is unavailable, or known from files alone, without any of them.
    static let purpose = "what system services tell of the machine, its batteries, sensors and sessions is unavailable"

    /// Those that have been asked in vain, each with what is unavailable without it, and why.
    var missing: [String] {
        all.compactMap { service in
            service.reading.lack.map { "\($0): \(service.purpose) unavailable" }
        }
    }

    /// Asks and follows all of them on a connection.
    func attach(to connection: Connection) {
        for service in all {
            service.attach(to: connection)
        }
    }

    /// Lets go of the connection, which may have ended already.
    func detach(_ reason: String) {
        proximity.forget()
        for service in all {
            service.detach(reason)
        }
    }

    /// The questions to be asked, all at once; each completion is called once.
    var questions: [(@escaping @Sendable () -> Void) -> Void] {
        [hostnamed.ask, upower.ask, logind.ask, proximity.ask]
    }

    /// Asks those again that have not answered in time, if that was before a time.
    func askSilent(since time: ContinuousClock.Instant) {
        for service in all {
            if let silence = service.silence, silence < time {
                service.ask {}
            }
        }
    }

    /// Takes over what they tell.
    func apply(to facts: inout DeviceFacts) {
        facts.prefer(hostnamed: hostnamed.reading)
        facts.prefer(upower: upower.reading)
        facts.prefer(logind: logind.reading)
        proximity.apply(to: &facts)
    }
}

extension ServiceProperties.Target {
    /// `org.freedesktop.hostname1(5)`, which ends when it is idle.
    fileprivate static let hostnamed = Self(
        label: "hostnamed", purpose: "the machine's pretty name and firmware are",
        service: "org.freedesktop.hostname1", interface: "org.freedesktop.hostname1",
        path: "/org/freedesktop/hostname1", startsService: true, outlivesService: true,
        properties: [
            "PrettyHostname", "Hostname", "HardwareModel", "HardwareVendor", "Chassis", "OperatingSystemPrettyName",
            "FirmwareVersion",
        ])

    /// UPower's display device, which stands for all batteries (`org.freedesktop.UPower`, `GetDisplayDevice`).
    fileprivate static let upower = Self(
        label: "UPower", purpose: "charge and state of batteries are",
        service: "org.freedesktop.UPower", interface: "org.freedesktop.UPower.Device",
        path: "/org/freedesktop/UPower/devices/DisplayDevice", startsService: true, outlivesService: false,
        properties: ["Type", "IsPresent", "State", "Percentage"])

    /// This process's session in `org.freedesktop.login1(5)`.
    fileprivate static let logind = Self(
        label: "logind", purpose: "the session's state is",
        service: "org.freedesktop.login1", interface: "org.freedesktop.login1.Session", path: nil,
        startsService: true, outlivesService: false, properties: ["Type", "Desktop", "State", "LockedHint"])

    /// iio-sensor-proxy, which the system starts where there is a sensor.
    fileprivate static let sensors = Self(
        label: "iio-sensor-proxy", purpose: "the proximity sensor is",
        service: "net.hadess.SensorProxy", interface: "net.hadess.SensorProxy",
        path: "/net/hadess/SensorProxy", startsService: false, outlivesService: false,
        properties: ["HasProximity", "ProximityNear"])
}
