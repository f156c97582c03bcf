// SPDX-License-Identifier: MIT

public import DBus

/// The services that know of the device.
extension MockService {
    /// The object of `systemd-hostnamed`.
    public static let hostnamePath: ObjectPath = "/org/freedesktop/hostname1"
    /// UPower's display device.
    public static let batteryPath: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"
    /// The session that logind knows.
    public static let sessionPath: ObjectPath = "/org/freedesktop/login1/session/_32"
    /// The object of iio-sensor-proxy.
    public static let sensorPath: ObjectPath = "/net/hadess/SensorProxy"

    /// `systemd-hostnamed`.
    public static func hostnamed(_ changes: [Key: Value] = [:], on bus: PrivateBus) throws -> MockService {
        let service = try MockService("org.freedesktop.hostname1", on: bus)
        let properties: [Key: Value] = [
            "PrettyHostname": .string("Käthe's laptop"), "Hostname": .string("kaethe"), "Chassis": .string("laptop"),
            "HardwareVendor": .string("Lenovo"), "HardwareModel": .string("ThinkPad X1 Carbon"),
            "OperatingSystemPrettyName": .string("Debian 13"), "MachineID": .bytes([1, 2, 3]),
        ]
        service.export(hostnamePath, "org.freedesktop.hostname1", properties.merging(changes) { $1 })
        return service
    }

    /// UPower with its display device.
    public static func upower(_ changes: [Key: Value] = [:], on bus: PrivateBus) throws -> MockService {
        let service = try MockService("org.freedesktop.UPower", on: bus)
        let properties: [Key: Value] = [
            "Type": .uint32(2), "IsPresent": .boolean(true), "State": .uint32(1), "Percentage": .double(42.5),
        ]
        service.export(batteryPath, "org.freedesktop.UPower.Device", properties.merging(changes) { $1 })
        return service
    }

    /// `systemd-logind` with one session.
    public static func logind(_ changes: [Key: Value] = [:], on bus: PrivateBus) throws -> MockService {
        let service = try MockService("org.freedesktop.login1", on: bus)
        let properties: [Key: Value] = [
            "Type": .string("wayland"), "Desktop": .string("gnome"), "State": .string("active"),
            "LockedHint": .boolean(false),
        ]
        service.export(sessionPath, "org.freedesktop.login1.Session", properties.merging(changes) { $1 })
        let find = MockInterface.Method("GetSession", arguments: "s") { call in
            var body = call.message.body
            do {
                guard try body.read(String.self) == "auto" else {
                    return call.fail(DBusError(.invalidArgs, "only auto is known"))
                }
                Reply<ObjectPath>(call)(sessionPath)
            } catch {
                call.fail(DBusError(.invalidArgs, "no text"))
            }
        }
        service.export("/org/freedesktop/login1", "org.freedesktop.login1.Manager", [:], methods: [find])
        return service
    }

    /// iio-sensor-proxy with a proximity sensor.
    ///
    /// - Parameters:
    ///   - claiming: what a claim fails with.
    ///   - holdingClaims: whether claims are answered only when they are released.
    public static func sensors(
        _ changes: [Key: Value] = [:], claiming: DBusError? = nil, holdingClaims: Bool = false, on bus: PrivateBus
    ) throws -> MockService {
        let service = try MockService("net.hadess.SensorProxy", on: bus)
        let properties: [Key: Value] = ["HasProximity": .boolean(true), "ProximityNear": .boolean(true)]
        let held = Recorder<MethodCall>()
        let claim = MockInterface.Method("ClaimProximity") { call in
            if holdingClaims {
                held.append(call)
            } else if let claiming {
                call.fail(claiming)
            } else {
                call.answer { _ in }
            }
        }
        let release = MockInterface.Method("ReleaseProximity") { call in
            for claim in held.takeAll() {
                claim.answer { _ in }
            }
            call.answer { _ in }
        }
        service.export(
            sensorPath, "net.hadess.SensorProxy", properties.merging(changes) { $1 }, methods: [claim, release])
        return service
    }
}
