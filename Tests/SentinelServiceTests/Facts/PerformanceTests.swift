// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// Single samples of performance.
    @Suite("Performance", .serialized, .timeLimit(.minutes(5)))
    struct PerformanceTests {
        static let types: [Key: ValueType] = [
            "time": "x", "cpu_percent": "d", "cpu_percent_total": "d", "memory_bytes": "t", "memory_peak_bytes": "t",
            "memory_total_bytes": "t", "threads": "u", "file_descriptors": "u", "read_bytes": "t", "written_bytes": "t",
            "context_switches": "t", "uptime_seconds": "d", "system_uptime_seconds": "d", "pressure_cpu": "d",
            "pressure_memory": "d", "pressure_io": "d", "processor_count": "u",
        ]

        /// A figure of a sample.
        static func number(_ sample: [Key: Value], _ key: Key) throws -> Double {
            switch try #require(sample[key]) {
            case .double(let number): number
            case .uint64(let number): Double(number)
            case .int64(let number): Double(number)
            case .uint32(let number): Double(number)
            case let other: throw TestSupportError("\(key) is a \(other.type)")
            }
        }

        /// The processor time that a process has used, in seconds.
        static func processorTime(of processID: Int32) throws -> Double {
            let stat = try String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
            let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
            let ticks = try #require(Double(fields[11])) + (try #require(Double(fields[12])))
            return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        }

        @Test("a sample has the documented figures, with their types, in their ranges, as /proc has them")
        func figures() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            let before = Date()
            let sample = try await fixture.client.performance(at: child.path).sample()
            for (key, value) in sample {
                #expect(Self.types[key] == value.type, "\(key)")
            }
            let always: Set<Key> = [
                "time", "cpu_percent", "cpu_percent_total", "memory_bytes", "memory_peak_bytes", "memory_total_bytes",
                "threads", "file_descriptors", "context_switches", "uptime_seconds", "system_uptime_seconds",
                "processor_count",
            ]
            #expect(always.isSubset(of: sample.keys), "\(sample.keys)")
            let time = try Self.number(sample, "time") / 1e6
            #expect((before.timeIntervalSince1970 - 1...Date().timeIntervalSince1970 + 1).contains(time))
            #expect(
                (0...100.0 * Double(sysconf(Int32(_SC_NPROCESSORS_ONLN)))).contains(
                    try Self.number(sample, "cpu_percent")))
            #expect((0...100).contains(try Self.number(sample, "cpu_percent_total")))
            for key: Key in ["pressure_cpu", "pressure_memory", "pressure_io"] where sample[key] != nil {
                #expect((0...100).contains(try Self.number(sample, key)))
            }
            let memory = try Self.number(sample, "memory_bytes")
            #expect(memory > 0)
            #expect(memory <= (try Self.number(sample, "memory_peak_bytes")))
            #expect(memory < (try Self.number(sample, "memory_total_bytes")))
            let facts = ProcessFacts(identifier: child.identifier)
            #expect(abs(memory - Double(try facts.proportionalSetSize)) < 1_048_576)
            #expect(try Self.number(sample, "file_descriptors") == Double(try facts.descriptorCount))
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.identifier)/task").count
            #expect(try Self.number(sample, "threads") == Double(threads))
            // Both uptimes: the process's own and the machine's, which are not the same.
            let age = try Self.number(sample, "uptime_seconds")
            #expect(age > 0 && age < 120)
            let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8).split(separator: " ")[0]
            #expect(abs(try Self.number(sample, "system_uptime_seconds") - (try #require(Double(uptime)))) < 5)
            #expect(try Self.number(sample, "processor_count") == Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
            try fixture.stop()
        }

        @Test("the processor time is live, and that of one that burns a core is what the kernel has counted")
        func burning() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus, arguments: ["burn"])
            let performance = fixture.client.performance(at: child.path)
            _ = try await performance.sample()
            let used = try Self.processorTime(of: child.identifier)
            let start = ContinuousClock.now
            try await waitUntil("a second passes") { ContinuousClock.now - start > .seconds(1) }
            let sample = try await performance.sample()
            let expected =
                (try Self.processorTime(of: child.identifier) - used)
                / ((ContinuousClock.now - start) / .seconds(1)) * 100
            let told = try Self.number(sample, "cpu_percent")
            // On a machine that others keep busy the process gets less than a core; the kernel knows how much.
            #expect(abs(told - expected) < 20, "\(told) of \(expected)")
            #expect(expected < 80 || (80...120).contains(told), "\(told)")
            #expect(told > 5)
            let next = try await performance.sample()
            #expect(next["time"] != sample["time"])
            #expect(try Self.number(next, "uptime_seconds") > (try Self.number(sample, "uptime_seconds")))

            let screen = try await performance.content()
            expectSound(screen)
            #expect(screen.map(\.id) == ["process_performance", "machine_performance"])
            for key in Self.types.keys where key != "time" {
                #expect(screen[key.text]?.kind == "performance", "\(key)")
            }
            #expect(screen["cpu_percent"]?.attributes["unit"] == .string("%"))
            #expect(screen.value("threads") == .int64(1))
            try fixture.stop()
        }

        @Test("the first sample takes its own 200 ms, and those who ask meanwhile share it")
        func joining() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            let start = ContinuousClock.now
            let call = try Message.methodCall(to: TestClient.service, child.path, Performance1.name, "Sample")
            let outcomes = Recorder<Result<Message, DBusError>>()
            let connection = fixture.client.connection
            // In one job of the loop, so that all are sent before the first is over.
            connection.loop.enqueue {
                for _ in 0..<20 {
                    connection.call(call, timeout: patience) { outcomes.append($0) }
                }
            }
            let replies = try await outcomes.wait(for: 20)
            let time = ContinuousClock.now - start
            #expect(time >= .milliseconds(200), "\(time)")
            let times = try replies.map {
                var body = try $0.get().body
                return try Self.number(try body.read([Key: Value].self), "time")
            }
            #expect(Set(times).count == 1)
            try fixture.stop()
        }

        @Test("of an application that does not run there is an error, on the screen too, and no figure")
        func stopped() async throws {
            let fixture = try await FactsFixture()
            let child = try RegisteredProcess("com.example.App", on: fixture.bus)
            try child.end()
            let performance = fixture.client.performance(at: child.path)
            try await waitUntil("it has ended") {
                try await fixture.client.entry(of: "com.example.App")?.running == false
            }
            await expectError("org.sentinel.Error.Unavailable", mentioning: "no instance of com.example.App runs") {
                _ = try await performance.sample()
            }
            let screen = try await performance.content()
            expectSound(screen)
            #expect(screen.allItems.count == 1)
            #expect(screen.error("process") == "no instance of com.example.App runs")
            #expect(try await performance.history(limit: 0).isEmpty)
            try fixture.stop()
        }

        @Test("the service measures itself")
        func service() async throws {
            let fixture = try await FactsFixture()
            let sample = try await fixture.client.performance(at: "/org/sentinel").sample()
            let threads = try FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(fixture.service.process.identifier)/task")
            #expect(abs(try Self.number(sample, "threads") - Double(threads.count)) <= 4)
            #expect(try Self.number(sample, "memory_bytes") > 1_048_576)
            try fixture.stop()
        }
    }
}
