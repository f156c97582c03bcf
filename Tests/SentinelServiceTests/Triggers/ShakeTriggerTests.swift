// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

@Suite("Shake triggers", .serialized, .timeLimit(.minutes(5)))
struct ShakeTriggerTests {
    private static let device = "sys/bus/iio/devices/iio:device0"
    private static let missing = "this machine has no accelerometer"

    private let tree: FileTree
    private let loop: EventLoop
    private let fired = Recorder<Name>()
    private let one: Name
    private let two: Name

    init() throws {
        tree = try FileTree()
        loop = try EventLoop.startThread(named: "shakes")
        one = try Name("one")
        two = try Name("two")
    }

    private func start(searchInterval: Duration = .seconds(10)) -> ShakeTriggers {
        ShakeTriggers(root: tree.directory.path, searchInterval: searchInterval, loop: loop) { [fired] in
            fired.append($0)
        }
    }

    private func end(_ triggers: ShakeTriggers) {
        loop.enqueue { triggers.stop() }
        loop.stop()
    }

    /// Does something on the loop's thread, and waits for it.
    private func onLoop<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            loop.enqueue { continuation.resume(returning: body()) }
        }
    }

    private func add(_ trigger: Name, to triggers: ShakeTriggers) async {
        await onLoop { triggers.add(trigger, .shake) }
    }

    private func obstacle(to trigger: Name, _ triggers: ShakeTriggers) async -> String? {
        await onLoop { triggers.obstacle(to: trigger) }
    }

    private func plug() throws {
        for axis in ["x", "y", "z"] {
            try tree.write("\(Self.device)/in_accel_\(axis)_raw", axis == "z" ? "981\n" : "0\n")
        }
        try tree.write("\(Self.device)/in_accel_scale", "0.01\n")
    }

    /// Replaces a file in one step, so that nobody finds it empty.
    private func replace(_ file: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: tree.path("\(Self.device)/\(file)")), options: .atomic)
    }

    /// Shakes until something is so: a second of rest, in which a shake from before ends, and one of shaking, again and
    /// again.
    private func shake(until what: String, _ condition: () -> Bool) async throws {
        let start = ContinuousClock.now
        var isUp: Bool?
        try await waitUntil(what) {
            let swings = Int((.now - start) / .milliseconds(90))
            // Of 26 swings those of the first 13, which take 1.2 seconds, are left out.
            let wanted = swings % 26 < 13 ? nil : swings.isMultiple(of: 2)
            if wanted != isUp {
                isUp = wanted
                try replace("in_accel_x_raw", isUp.map { $0 ? "2500\n" : "-2500\n" } ?? "0\n")
            }
            return condition()
        }
        try replace("in_accel_x_raw", "0\n")
    }

    /// How many files below the device's tree are open.
    private func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            var bytes = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/fd/\($0)", &bytes, bytes.count)
            let target = String(decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
            return target.hasPrefix(tree.directory.path)
        }
    }

    @Test("a shake fires each trigger that waits, and those alone")
    func shake() async throws {
        try plug()
        let triggers = start()
        await add(one, to: triggers)
        try await waitUntil("it is measured") { await obstacle(to: one, triggers) == nil }
        #expect(fired.count == 0)
        try await shake(until: "it fires") { fired.count > 0 }
        #expect(fired.takeAll() == [one])
        await add(two, to: triggers)
        try await shake(until: "both fire") { fired.count > 1 }
        #expect(fired.takeAll() == [one, two])
        await onLoop { triggers.remove(one) }
        try await shake(until: "one fires") { fired.count > 0 }
        #expect(fired.takeAll() == [two])
        #expect(await obstacle(to: one, triggers) == nil)
        end(triggers)
    }

    @Test("nothing is held while no trigger waits, and what comes later is measured for at once")
    func atRest() async throws {
        try plug()
        let triggers = start()
        #expect(try openFiles() == 0)
        for _ in 0..<3 {
            await add(one, to: triggers)
            await add(two, to: triggers)
            try await waitUntil("it is measured") { await obstacle(to: two, triggers) == nil }
            #expect(try openFiles() > 0)
            await onLoop { triggers.remove(one) }
            #expect(await obstacle(to: two, triggers) == nil)
            await onLoop { triggers.remove(two) }
            try await waitUntil("it is let go of") { try openFiles() == 0 }
        }
        await add(one, to: triggers)
        try await waitUntil("it is measured") { await obstacle(to: one, triggers) == nil }
        await onLoop { triggers.stop() }
        try await waitUntil("it is let go of") { try openFiles() == 0 }
        end(triggers)
    }

    @Test("a machine without one is told, and looked at again later when somebody asks or adds a trigger")
    func missing() async throws {
        let patient = start()
        await add(one, to: patient)
        try await waitUntil("it is told") { await obstacle(to: one, patient) == Self.missing }
        let restless = start(searchInterval: .zero)
        await add(one, to: restless)
        try await waitUntil("it is told") { await obstacle(to: one, restless) == Self.missing }
        try plug()
        try await waitUntil("it is found") { await obstacle(to: one, restless) == nil }
        // It has just looked.
        #expect(await obstacle(to: one, patient) == Self.missing)
        await add(two, to: patient)
        #expect(await obstacle(to: two, patient) == Self.missing)
        await onLoop { restless.stop() }
        end(patient)
    }

    @Test("one that goes away is told, measured no more, and used again when it is back")
    func gone() async throws {
        try plug()
        let triggers = start(searchInterval: .zero)
        await add(one, to: triggers)
        try await waitUntil("it is measured") { await obstacle(to: one, triggers) == nil }
        try FileManager.default.removeItem(atPath: tree.path(Self.device))
        try await waitUntil("it is told") { await obstacle(to: one, triggers) == Self.missing }
        // Who asks has it looked for once more, which may be under way.
        try await waitUntil("nothing of it is open") { try openFiles() == 0 }
        try plug()
        try await waitUntil("it is measured again") { await obstacle(to: one, triggers) == nil }
        try await shake(until: "it fires") { fired.count > 0 }
        #expect(fired.elements == [one])
        end(triggers)
    }

    @Test("one that tells nonsense is told, and fires when it is sound again")
    func nonsense() async throws {
        try plug()
        let triggers = start()
        await add(one, to: triggers)
        try await waitUntil("it is measured") { await obstacle(to: one, triggers) == nil }
        try replace("in_accel_y_raw", "nan\n")
        let reason =
            "the accelerometer cannot be read: it is not a number: /sys/bus/iio/devices/iio:device0/in_accel_y_raw"
        try await waitUntil("it is told") { await obstacle(to: one, triggers) == reason }
        try replace("in_accel_y_raw", "0\n")
        try await waitUntil("it is sound") { await obstacle(to: one, triggers) == nil }
        try await shake(until: "it fires") { fired.count > 0 }
        end(triggers)
    }

    @Test("one that tells no scale is told")
    func noScale() async throws {
        try tree.write("\(Self.device)/in_accel_x_raw", "1\n")
        let triggers = start()
        await add(one, to: triggers)
        let reason = "the accelerometer cannot be read: it tells no scale: /sys/bus/iio/devices/iio:device0"
        try await waitUntil("it is told") { await obstacle(to: one, triggers) == reason }
        end(triggers)
    }

    @Test("what is dropped without an end lets go of everything")
    func dropped() async throws {
        try plug()
        weak let dropped: ShakeTriggers?
        do {
            let triggers = start()
            dropped = triggers
            await add(one, to: triggers)
            try await waitUntil("it is measured") { await obstacle(to: one, triggers) == nil }
        }
        try await waitUntil("it is let go of") { try dropped == nil && openFiles() == 0 }
        loop.stop()
    }
}
