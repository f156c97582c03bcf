// SPDX-License-Identifier: MIT

import SystemFacts
import Testing
import TestSupport

@Suite("Device files with garbage")
struct GarbageTests {
    private static let fragments = [
        "99999999999999999999999", "-1", "nan", "inf", "1e999", "\0", "\u{1b}[2J", "\u{202e}", "\n", ":", "=", "\"",
        "'", "\\", "0-4294967295", "MemTotal: 18446744073709551615 kB", "btime 9223372036854775807", "model name",
        "energy_now", "PRETTY_NAME=", "x", " ", "\t", "/", "..", "CPU part : 0xd08", "0x", "e\u{301}", "🇩🇪",
    ]

    @Test("whatever the files hold, the facts are sound", arguments: 0..<8)
    func garbage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let machines = [
            FixtureRoot.desktop, FixtureRoot.laptop, FixtureRoot.container, FixtureRoot.board,
            FixtureRoot.virtualMachine,
        ]
        for _ in 0..<25 {
            let machine = machines[Int(generator.next() % UInt64(machines.count))]
            let root = try FixtureRoot()
            for (path, text) in machine.sorted(by: { $0.key < $1.key }) where !text.hasPrefix("->") {
                try root.write(path, mutate(Array(text.utf8), &generator))
            }
            let noise = String(decoding: mutate([], &generator), as: UTF8.self)
            let names = ["TZ", "LANG", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"]
            let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, noise) })
            let kernel = KernelIdentity(release: noise, version: noise, machine: noise)
            expectSound(root.files(environment, kernel: kernel).facts())
        }
    }

    private func mutate(_ text: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        switch generator.next() % 5 {
        case 0:
            return (0..<generator.next() % 600).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        case 1:
            return Array(text.prefix(Int(generator.next() % UInt64(text.count + 1))))
        case 2:
            return (0..<generator.next() % 40)
                .flatMap { _ in Self.fragments[Int(generator.next() % UInt64(Self.fragments.count))].utf8 }
        case 3:
            var changed = text
            for _ in 0..<4 where !changed.isEmpty {
                changed[Int(generator.next() % UInt64(changed.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            return changed
        default:
            let fragment = Self.fragments[Int(generator.next() % UInt64(Self.fragments.count))].utf8
            let place = Int(generator.next() % UInt64(text.count + 1))
            return text.prefix(place) + Array(fragment) + text.dropFirst(place)
        }
    }
}
