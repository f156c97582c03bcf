// SPDX-License-Identifier: MIT

import Foundation
import SystemFacts
import TestSupport
import Testing

@Suite("Shake detector")
struct ShakeDetectorTests {
    private static let gravity = Acceleration(x: 0, y: 0, z: 9.81)

    /// The moments, in seconds, at which shakes are told of a motion that is sampled regularly, gravity included.
    private func shakes(
        seconds: Double, rate: Double = 50, _ parameters: ShakeDetector.Parameters = ShakeDetector.Parameters(),
        _ sample: (Double) -> Acceleration
    ) -> [Double] {
        var detector = ShakeDetector(parameters)
        return stride(from: 0, to: seconds, by: 1 / rate).filter {
            detector.take(sample($0), at: .microseconds(Int64($0 * 1_000_000)))
        }
    }

    /// Gravity down z, and a swing along a direction of length 1.
    private static func swing(
        _ strength: Double, hertz: Double, along axis: (Double, Double, Double), at time: Double
    ) -> Acceleration {
        let part = strength * sine(hertz * time)
        return Acceleration(x: axis.0 * part, y: axis.1 * part, z: gravity.z + axis.2 * part)
    }

    // MARK: - Shakes

    @Test(
        "a shake is told, once, in every direction and at every rate of measuring",
        arguments: [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, 0.8)], [12.0, 25, 50, 200])
    func shake(axis: (Double, Double, Double), rate: Double) {
        let told = shakes(seconds: 3, rate: rate) { time in
            // A second of rest, one and a half of shaking, rest.
            guard (1..<2.5).contains(time) else { return Self.gravity }
            return Self.swing(20, hertz: 4, along: axis, at: time - 1)
        }
        #expect(told.count == 1)
        #expect(told.allSatisfy { (1.3...2.1).contains($0) })
    }

    @Test("people shake slower and faster", arguments: [2, 2.5, 3, 5, 6, 7.0])
    func rates(hertz: Double) {
        let told = shakes(seconds: 3) { Self.swing($0 < 1 ? 0 : 20, hertz: hertz, along: (1, 0, 0), at: $0) }
        #expect(told.count == 1)
    }

    @Test("a shake that goes on is one, and after a second of rest there can be another")
    func again() {
        let isShaken = { (time: Double) in (1..<5).contains(time) || (6.2..<7).contains(time) }
        let told = shakes(seconds: 8) { time in
            Self.swing(isShaken(time) ? 20 : 0, hertz: 4, along: (0, 1, 0), at: time)
        }
        #expect(told.count == 2)
        #expect(told.last.map { $0 > 6.2 } == true)
        // With less rest in between it is the same shake.
        let shorter = shakes(seconds: 8) { time in
            let isShaken = (1..<5).contains(time) || (5.5..<6).contains(time)
            return Self.swing(isShaken ? 20 : 0, hertz: 4, along: (0, 1, 0), at: time)
        }
        #expect(shorter.count == 1)
    }

    @Test("a shake is told at irregular times, some of which come twice or back to front", arguments: 0..<10)
    func irregularTimes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var detector = ShakeDetector()
        var time = 0.0
        var told = 0
        while time < 3 {
            let sample = Self.swing(time < 1 ? 0 : 20, hertz: 4, along: (0, 0.8, 0.6), at: time)
            told += detector.take(sample, at: .microseconds(Int64(time * 1_000_000))) ? 1 : 0
            told += detector.take(sample, at: .microseconds(Int64(time * 1_000_000))) ? 1 : 0
            told += detector.take(Self.gravity, at: .microseconds(Int64(time * 900_000))) ? 1 : 0
            time += Double.random(in: 0.005...0.06, using: &generator)
        }
        #expect(told == 1)
    }

    @Test("values that cannot be keep no shake from being told, and are none")
    func implausibleValues() {
        let odd: [Double] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e12, .signalingNaN]
        var detector = ShakeDetector()
        var told = 0
        for index in 0..<200 {
            let time = Duration.milliseconds(20 * index)
            let value = odd[index % odd.count]
            told += detector.take(Acceleration(x: value, y: 0, z: 9.81), at: time - .milliseconds(10)) ? 1 : 0
            #expect(!detector.isStirred)
            let seconds = Double(index) / 50
            told += detector.take(Self.swing(20, hertz: 4, along: (1, 0, 0), at: seconds), at: time) ? 1 : 0
        }
        #expect(told == 1)
        let nothing = shakes(seconds: 10) { time in
            let value = odd[Int(time * 50) % odd.count]
            return Acceleration(x: value, y: -value, z: value)
        }
        #expect(nothing == [])
    }

    // MARK: - No shakes

    @Test("rest with noise is no shake", arguments: 0..<4)
    func rest(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var noise: Double { Double.random(in: -1...1, using: &generator) }
        var detector = ShakeDetector()
        for index in 0..<5_000 {
            let sample = Acceleration(x: noise, y: noise, z: 9.81 + noise)
            let isShaken = detector.take(sample, at: .milliseconds(20 * index))
            #expect(!isShaken)
            #expect(!detector.isStirred)
        }
    }

    @Test("turning the device is no shake, slowly or back and forth", arguments: [0.1, 0.25, 0.5, 1])
    func tilt(turnsPerSecond: Double) {
        let turned = shakes(seconds: 10) { time in
            Acceleration(
                x: 9.81 * Self.sine(turnsPerSecond * time), y: 0, z: 9.81 * Self.sine(turnsPerSecond * time + 0.25))
        }
        #expect(turned == [])
    }

    @Test("one bump is no shake, however hard and however it rings", arguments: [20, 50, 150.0], [8, 15, 25.0])
    func bump(strength: Double, hertz: Double) {
        let told = shakes(seconds: 3, rate: 200) { Self.bump(strength, hertz: hertz, at: $0) }
        #expect(told == [])
    }

    @Test("walking is no shake, nor is it reason to measure more often")
    func walking() {
        var detector = ShakeDetector()
        for index in 0..<1_000 {
            let isShaken = detector.take(Self.walking(Double(index) / 50), at: .milliseconds(20 * index))
            #expect(!isShaken)
            #expect(!detector.isStirred)
        }
    }

    @Test("running is no shake: between steps there is free fall, which is weaker than what counts")
    func running() {
        let told = shakes(seconds: 10, rate: 100) { time in
            guard time >= 1 else { return Self.gravity }
            let phase = (time * 2.7).truncatingRemainder(dividingBy: 1)
            // The foot is on the ground for two fifths of a step; all forces together carry the weight.
            let force = phase < 0.4 ? 9.81 * 2.5 * 1.5708 * Self.sine(phase / 0.8) : 0
            return Acceleration(x: 0, y: 0, z: force)
        }
        #expect(told == [])
    }

    @Test("a fall that bounces is no shake", arguments: [60, 150, 400.0])
    func fall(impact: Double) {
        let told = shakes(seconds: 4, rate: 100) { time in
            switch time {
            case 1..<1.4, 1.43..<1.7, 1.73..<1.9, 1.93..<2.0: Acceleration(x: 0, y: 0, z: 0)
            case 1.4..<1.43: Acceleration(x: impact / 2, y: 0, z: impact)
            case 1.7..<1.73: Acceleration(x: 0, y: 0, z: impact / 2)
            case 1.9..<1.93: Acceleration(x: 0, y: 0, z: impact / 4)
            default: Self.gravity
            }
        }
        #expect(told == [])
    }

    @Test("strong moments far apart are no shake, nor are those with a gap between")
    func farApart() {
        let slow = shakes(seconds: 20) { Self.slowMoments($0) }
        #expect(slow == [])
        var detector = ShakeDetector()
        for index in 0..<20 {
            let strength = index.isMultiple(of: 2) ? 20.0 : -20
            let isShaken = detector.take(Acceleration(x: strength, y: 0, z: 9.81), at: .milliseconds(1_100 * index))
            #expect(!isShaken)
        }
    }

    @Test("each rule keeps something out that is a shake without it")
    func rules() {
        let without = { (change: (inout ShakeDetector.Parameters) -> Void) in
            var parameters = ShakeDetector.Parameters()
            change(&parameters)
            return parameters
        }
        let hit = { (time: Double) in Self.bump(150, hertz: 25, at: time) }
        #expect(shakes(seconds: 3, rate: 200, without { $0.shortestSwing = .zero }, hit) != [])
        #expect(shakes(seconds: 3, rate: 200, without { $0.reversals = 1 }, hit) != [])
        #expect(shakes(seconds: 20, without { $0.strongMetersPerSquareSecond = 2.5 }, Self.walking) != [])
        #expect(shakes(seconds: 20, without { $0.window = .seconds(5) }, Self.slowMoments) != [])
        #expect(shakes(seconds: 20, without { $0.reversals = 2 }, Self.slowMoments) != [])
    }

    // MARK: - Series

    /// A bump after a second, after which something rings that loses half of its strength every 40 ms.
    private static func bump(_ strength: Double, hertz: Double, at time: Double) -> Acceleration {
        guard time >= 1 else { return gravity }
        let since = time - 1
        return swing(strength * pow(0.5, since / 0.04), hertz: hertz, along: (0.6, 0, 0.8), at: since + 0.25 / hertz)
    }

    private static func walking(_ time: Double) -> Acceleration {
        swing(3, hertz: 2, along: (0, 0, 1), at: time)
    }

    /// A strong moment every 600 ms, there and back in turn.
    private static func slowMoments(_ time: Double) -> Acceleration {
        let phase = (time / 0.6).truncatingRemainder(dividingBy: 2)
        let strength = phase < 0.1 ? 20.0 : (1..<1.1).contains(phase) ? -20 : 0
        return Acceleration(x: strength, y: 0, z: gravity.z)
    }

    /// The sine of so many turns.
    private static func sine(_ turns: Double) -> Double {
        sin(turns * 2 * .pi)
    }
}
