// SPDX-License-Identifier: MIT

import Foundation
import SystemFacts
import TestSupport
import Testing

@Suite("Accelerometer")
struct AccelerometerTests {
    private static let device = "/sys/bus/iio/devices/iio:device0"

    private func root(_ files: [String: String]) throws -> FixtureRoot {
        try FixtureRoot(Dictionary(uniqueKeysWithValues: files.map { ("\(Self.device)/\($0)", $1) }))
    }

    private func sample(_ files: [String: String]) throws -> Acceleration {
        let root = try root(files)
        return try Accelerometer.find(root: root.path).sample()
    }

    @Test("measures in m/s²: what is raw, and an offset, times a scale, for each axis or for all")
    func scales() throws {
        let raw = ["in_accel_x_raw": "-512\n", "in_accel_y_raw": "0\n", "in_accel_z_raw": "1024\n"]
        #expect(
            try sample(raw.merging(["in_accel_scale": "0.009765625\n"]) { $1 }) == Acceleration(x: -5, y: 0, z: 10))
        #expect(
            try sample(
                raw.merging([
                    "in_accel_scale": "0.5\n", "in_accel_z_scale": "-0.25\n", "in_accel_offset": "-24\n",
                    "in_accel_x_offset": "12.0\n",
                ]) { $1 }) == Acceleration(x: -250, y: -12, z: -250))
    }

    @Test("an axis that is not there is 0", arguments: ["x", "y", "z"])
    func oneAxis(axis: String) throws {
        let sample = try sample(["in_accel_\(axis)_raw": "3\n", "in_accel_\(axis)_scale": "2\n"])
        let expected = ["x": [6, 0, 0], "y": [0, 6, 0], "z": [0, 0, 6.0]]
        #expect([sample.x, sample.y, sample.z] == expected[axis])
    }

    @Test("takes the first that measures acceleration and tells its scale, by the devices' numbers")
    func first() throws {
        let devices = "/sys/bus/iio/devices"
        let root = try FixtureRoot([
            "\(devices)/iio:device0/in_illuminance_raw": "1\n", "\(devices)/iio:device1/in_accel_x_raw": "1\n",
            "\(devices)/iio:device10/in_accel_x_raw": "10\n", "\(devices)/iio:device10/in_accel_scale": "1\n",
            "\(devices)/iio:device2/in_accel_x_raw": "2\n", "\(devices)/iio:device2/in_accel_scale": "1\n",
            "\(devices)/trigger0/in_accel_x_raw": "3\n", "\(devices)/trigger0/in_accel_scale": "1\n",
            "\(devices)/iio:devicex/in_accel_x_raw": "4\n", "\(devices)/iio:device": "5\n",
        ])
        #expect(try Accelerometer.find(root: root.path).sample().x == 2)
    }

    @Test("devices may be links, as they are in sysfs")
    func links() throws {
        let root = try FixtureRoot([
            "/sys/devices/i2c/iio:device3/in_accel_y_raw": "7\n", "/sys/devices/i2c/iio:device3/in_accel_scale": "1\n",
            "/sys/bus/iio/devices/iio:device3": "->../../../devices/i2c/iio:device3",
        ])
        #expect(try Accelerometer.find(root: root.path).sample().y == 7)
    }

    @Test("a machine without one is told as such")
    func missing() throws {
        for files in [[:], ["in_temp_raw": "1\n"]] {
            let root = try root(files)
            let error = #expect(throws: FactError.self) { try Accelerometer.find(root: root.path) }
            #expect(error?.code == .absent)
            #expect(error?.description == "this machine has no accelerometer")
        }
    }

    @Test(
        "what tells no scale, or nonsense for one, is told",
        arguments: [nil, "", "nan", "inf", "0", "x", "1e999", "0x1", "--1", "\0", "1 2", "\u{1b}[2J"] as [String?])
    func scale(text: String?) throws {
        var files = ["in_accel_x_raw": "1\n"]
        files["in_accel_scale"] = text
        let root = try root(files)
        let error = #expect(throws: FactError.self) { try Accelerometer.find(root: root.path) }
        #expect(error?.code == .malformed)
        #expect(error?.path?.hasPrefix("\(Self.device)") == true)
        #expect(error?.path?.hasPrefix(root.path) == false)
    }

    @Test(
        "nonsense for a measurement is told, and what is told afterwards counts",
        arguments: [
            "", "\n", "nan", "inf", "99999999999999999999999999", "0x10", "1.2.3", "-", "+", "\u{202e}", "\0",
            String(repeating: "1", count: 200),
        ])
    func raw(text: String) throws {
        let root = try root(["in_accel_x_raw": text, "in_accel_scale": "1\n"])
        let accelerometer = try Accelerometer.find(root: root.path)
        let error = #expect(throws: FactError.self) { try accelerometer.sample() }
        #expect(error?.code == .malformed)
        try root.write("\(Self.device)/in_accel_x_raw", "5\n")
        #expect(try accelerometer.sample().x == 5)
    }

    @Test("a pipe or a directory in a file's place is told and not waited for")
    func noFile() throws {
        let tree = try FileTree()
        try tree.makePipe("\(Self.device.dropFirst())/in_accel_x_raw")
        try tree.write("\(Self.device.dropFirst())/in_accel_scale", "1\n")
        let accelerometer = try Accelerometer.find(root: tree.directory.path)
        #expect(throws: FactError.self) { try accelerometer.sample() }
        let root = try root(["in_accel_x_raw/file": "1\n", "in_accel_scale": "1\n"])
        let other = try Accelerometer.find(root: root.path)
        #expect(throws: FactError.self) { try other.sample() }
    }

    @Test("one that goes away is gone for good, though another gets its number")
    func gone() throws {
        let root = try root(["in_accel_x_raw": "1\n", "in_accel_scale": "1\n"])
        let accelerometer = try Accelerometer.find(root: root.path)
        #expect(try accelerometer.sample().x == 1)
        try root.remove(Self.device)
        try root.write("\(Self.device)/in_accel_x_raw", "2\n")
        try root.write("\(Self.device)/in_accel_scale", "3\n")
        let error = #expect(throws: FactError.self) { try accelerometer.sample() }
        #expect(error?.code == .absent)
        #expect(error?.message == "the accelerometer has gone")
        #expect(try Accelerometer.find(root: root.path).sample().x == 6)
    }

    @Test("one that may not be read is told", .enabled(if: getuid() != 0, "root may read everything"))
    func denied() throws {
        let root = try root(["in_accel_x_raw": "1\n", "in_accel_scale": "1\n"])
        let accelerometer = try Accelerometer.find(root: root.path)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0], ofItemAtPath: "\(root.path)\(Self.device)/in_accel_x_raw")
        let error = #expect(throws: FactError.self) { try accelerometer.sample() }
        #expect(error?.code == .denied)
    }
}
