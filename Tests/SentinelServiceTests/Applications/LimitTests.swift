// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Limits", .serialized, .timeLimit(.minutes(5)))
    struct LimitTests {
        @Test("of 10 000 applications of one client 1 000 are known, and all end with it")
        func manyApplications() async throws {
            let fixture = try await ServiceFixture()
            let facts = ProcessFacts(identifier: fixture.service.process.identifier)
            let descriptors = try facts.descriptorCount
            let greedy = try TestClient(on: fixture.bus)
            let outcomes = Recorder<Result<Message, DBusError>>()
            let total = 10_000
            let text = Value.string(String(repeating: "x", count: 1000))
            for number in 0..<total {
                try greedy.send("Register", "com.example.App\(number)", ["name": text, "build": text], to: outcomes)
            }
            let codes = try await outcomes.wait(for: total, within: .seconds(100)).map(\.errorCode)
            #expect(codes.count { $0 == nil } == 1000)
            #expect(codes.count { $0 == .limitsExceeded } == 9000)
            if ProcessFacts.isMemoryMeaningful {
                #expect(try facts.proportionalSetSize < 40 << 20)
            }

            // Whoever is known may register still; room is made by forgetting.
            let list = try await fixture.client.sentinel.listApplications()
            #expect(list.count == 1001)
            #expect(list.count(where: \.running) == 1001)
            #expect(try await fixture.client.managedObjects().count == 1000)
            try await fixture.client.register(list[0].id)
            await expectError(.limitsExceeded, mentioning: "1000") {
                try await fixture.client.register("com.example.New")
            }
            try await fixture.client.sentinel.forget(applicationID: list[1].id, options: [:])
            try await fixture.client.register("com.example.New")
            await expectError(.limitsExceeded) { try await fixture.client.register("com.example.Newer") }

            greedy.close()
            try await waitUntil("all instances of the client end") {
                try await fixture.client.sentinel.listApplications().count(where: \.running) == 3
            }
            if ProcessFacts.isMemoryMeaningful {
                #expect(try facts.proportionalSetSize < 40 << 20)
            }
            // The store may have opened its files for a checkpoint meanwhile, and facts the machine's files.
            try await waitUntil("no more descriptors than before") {
                try facts.descriptorCount < descriptors + 10
            }
            try fixture.stop()
        }

        @Test("the largest texts and launch values of many instances are held within bounds")
        func largeRegistrations() async throws {
            let fixture = try await ServiceFixture()
            let facts = ProcessFacts(identifier: fixture.service.process.identifier)
            let outcomes = Recorder<Result<Message, DBusError>>()
            let launch = Value.options(["k": .string(String(repeating: "v", count: 32 << 10))])
            for number in 0..<200 {
                try fixture.client.send("Register", "com.example.App\(number)", ["launch": launch], to: outcomes)
            }
            #expect(try await outcomes.wait(for: 200).allSatisfy { $0.errorCode == nil })
            let huge = Value.options(["k": .string(String(repeating: "v", count: 8 << 20))])
            for number in 0..<10 {
                await expectError(.invalidArgs, mentioning: "launch") {
                    try await fixture.client.register("com.example.Huge\(number)", ["launch": huge])
                }
            }
            #expect(try await fixture.client.entry(of: "com.example.Huge0") == nil)
            if ProcessFacts.isMemoryMeaningful {
                #expect(try facts.proportionalSetSize < 60 << 20)
            }
            try fixture.stop()
        }

        @Test("without descriptors a caller is told that, and is not taken for one that has ended or is confined")
        func noDescriptors() async throws {
            let bus = try PrivateBus()
            let service = try await SentinelProcess.started(on: bus)
            let number = service.process.identifier
            try await TestClient(on: bus).register("com.example.First")
            let open = try ProcessFacts(identifier: number).descriptorCount
            for spare in 0...3 {
                try await setDescriptorLimit(of: number, to: open + spare)
                let client = try TestClient(on: bus)
                do {
                    try await client.register("com.example.App")
                } catch let error as DBusError {
                    #expect(error.code == .limitsExceeded, "with \(spare) to spare: \(error)")
                }
            }
            try await setDescriptorLimit(of: number, to: 1024)
            try await TestClient(on: bus).register("com.example.App")
            try service.stop()
        }

        @Test("a service that is given too few descriptors says so and does not start", arguments: [12, 63])
        func fewDescriptors(limit: Int) async throws {
            let bus = try PrivateBus()
            let result = try await Command.run(
                ["bash", "-c", "ulimit -n \(limit) && exec \(BuiltProducts.path(of: "sentineld"))"],
                environment: bus.environment)
            #expect(result.status == 70)
            #expect(result.errors.contains("only \(limit) file descriptors are allowed here and 64 are needed"))
        }

        private func setDescriptorLimit(of process: Int32, to limit: Int) async throws {
            let result = try await Command.run(["prlimit", "--pid", "\(process)", "--nofile=\(limit):4096"])
            try #require(result.status == 0, "\(result)")
        }
    }
}
