// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Hostile calls", .serialized, .timeLimit(.minutes(10)))
    struct HostileCallTests {
        private static let isLong = ProcessInfo.processInfo.environment["SENTINEL_LONG_TESTS"] == "1"
        private static let callCount = isLong ? 50_000 : 5_000
        /// So many calls are under way at once.
        private static let windowSize = 100

        /// A seed that a failure has named can be set.
        private let seed =
            ProcessInfo.processInfo.environment["SENTINEL_TEST_SEED"].flatMap { UInt64($0) }
            ?? .random(in: .min ... .max)

        @Test("every call gets one reply, whatever is in it, and the service neither ends nor grows")
        func fuzz() async throws {
            let fixture = try await ServiceFixture()
            let process = fixture.service.process
            let facts = ProcessFacts(identifier: process.identifier)
            let applications = ["com.example.App", "com.example.Other"]
            for id in applications {
                try await fixture.client.register(id)
            }
            let contract = try await LiveContract(of: fixture.client)
            #expect(contract.methods.count > 100)
            #expect(contract.properties.count > 50)

            var calls = HostileCalls(contract: contract, seed: seed)
            let descriptors = try facts.descriptorCount
            let replies = Recorder<Result<Message, DBusError>>()
            let attacker = try TestClient(on: fixture.bus)
            var sent = 0
            while sent < Self.callCount {
                // What cannot be built or would not pass the bus is not sent.
                guard let call = calls.next() else { continue }
                sent += 1
                attacker.connection.call(call, timeout: .seconds(60)) { replies.append($0) }
                if sent - replies.count >= Self.windowSize {
                    try await replies.wait(for: sent - Self.windowSize / 2)
                }
            }
            let results = try await replies.wait(for: sent)
            #expect(results.count == sent, "seed \(seed)")
            for code in Set(results.compactMap(\.errorCode)) {
                let isOwn =
                    code.text.hasPrefix("org.sentinel.Error.") || code.text.hasPrefix("org.freedesktop.DBus.Error.")
                #expect(isOwn, "\(code), seed \(seed)")
                #expect(![.noReply, .disconnected, .noMemory].contains(code), "\(code), seed \(seed)")
            }
            // "Failed" stands for what nobody thought of.
            #expect(!results.contains { $0.errorCode == .failed }, "seed \(seed)")
            #expect(results.contains { $0.errorCode == nil }, "seed \(seed)")

            #expect(process.ending == nil, "seed \(seed): \(process.errors.suffix(2000))")
            #expect(try await fixture.client.processID(of: TestClient.service) == UInt32(process.identifier))
            #expect(try await fixture.client.sentinel.health() == "ok")
            if ProcessFacts.isMemoryMeaningful {
                #expect(try facts.proportionalSetSize < 60 << 20, "seed \(seed)")
            }
            // They may have been forgotten in between.
            for id in applications {
                try await fixture.client.register(id)
            }
            attacker.close()
            try await waitUntil("the attacker's instances end, seed \(seed)") {
                try await fixture.client.sentinel.listApplications().filter(\.running).count == 3
            }
            // Each of the five ways to read the store has its database and log open, once it was used.
            try await waitUntil("no more descriptors than before, seed \(seed)") {
                try facts.descriptorCount < descriptors + 20
            }
            try fixture.stop()
        }

        @Test("calls that want no reply get none, and those that do get no second one")
        func replyCount() async throws {
            let fixture = try await ServiceFixture()
            let contract = try await LiveContract(of: fixture.client)
            var calls = HostileCalls(contract: contract, seed: seed)
            // Eavesdropping tells what really travels.
            let monitor = try ChildProcess(
                ["dbus-monitor", "--address", fixture.bus.address, "--profile", "type='method_return'", "type='error'"])
            try await waitUntil("the monitor listens") {
                _ = try await fixture.client.sentinel.version()
                return monitor.output.contains(fixture.client.name)
            }
            let client = try TestClient(on: fixture.bus)
            let replies = Recorder<Result<Message, DBusError>>()
            var wanted = 0
            for number in 0..<1000 {
                guard let call = calls.next(wantsReply: number.isMultiple(of: 2)) else { continue }
                if number.isMultiple(of: 2) {
                    wanted += 1
                    client.connection.call(call, timeout: .seconds(60)) { replies.append($0) }
                } else {
                    client.connection.send(call)
                }
            }
            try await replies.wait(for: wanted)
            // One more for the question after the last.
            _ = try await client.sentinel.version()
            let service = try await client.nameOfService()
            let lines = {
                monitor.output.split(separator: "\n").filter { line in
                    let fields = line.split(separator: "\t")
                    return fields.count > 4 && fields[3] == service && fields[4] == client.name
                }
            }
            try await waitUntil("\(wanted + 1) replies have travelled, seed \(seed)") { lines().count >= wanted + 1 }
            #expect(lines().count == wanted + 1, "seed \(seed)")
            #expect(fixture.service.process.ending == nil)
            try fixture.stop()
        }
    }
}
