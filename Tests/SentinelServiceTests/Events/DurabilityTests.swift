// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Acknowledged events", .serialized, .timeLimit(.minutes(60)))
    struct DurabilityTests {
        private static let isLong = ProcessInfo.processInfo.environment["SENTINEL_LONG_TESTS"] != nil

        private let bus: PrivateBus
        private let directory: TemporaryDirectory

        init() throws {
            bus = try PrivateBus()
            directory = try TemporaryDirectory()
        }

        private func start() async throws -> SentinelProcess {
            try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))
        }

        /// Sends `Record` without waiting; the recorders get the id of the event, or the error.
        private func send(
            from client: TestClient, to outcomes: Recorder<Result<String, DBusError>>,
            then: @escaping @Sendable () -> Void
        ) throws {
            let message = try Message.methodCall(
                to: TestClient.service, "/org/sentinel", Events1.name, "Record", startsService: false
            ) { (writer) throws(DBusError) in
                try writer.write("test")
                try writer.write("com.example.Test")
                try writer.write([Key: Value]())
            }
            client.connection.call(message) { result in
                outcomes.append(result.read { (body) throws(DBusError) in try body.read(String.self) })
                then()
            }
        }

        /// Has so many calls outstanding all the time, until one fails or the time is over.
        private final class Load: @unchecked Sendable {
            let outcomes = Recorder<Result<String, DBusError>>()
            let sent = Recorder<Bool>()
            private let client: TestClient
            private let deadline: ContinuousClock.Instant
            private let test: DurabilityTests

            init(_ test: DurabilityTests, _ client: TestClient, outstanding: Int, for time: Duration) throws {
                self.test = test
                self.client = client
                deadline = .now + time
                for _ in 0..<outstanding {
                    try proceed()
                }
            }

            private func proceed() throws {
                sent.append(true)
                try test.send(from: client, to: outcomes) { [self] in
                    guard case .success? = outcomes.elements.last, .now < deadline else { return }
                    do {
                        try proceed()
                    } catch {
                        outcomes.append(.failure(DBusError(.failed, "\(error)")))
                    }
                }
            }

            var ids: [String] {
                outcomes.elements.compactMap { try? $0.get() }
            }
        }

        @Test("no event that was acknowledged is missing after the service was killed")
        func kill() async throws {
            var known: Set<String> = []
            var generator = SeededGenerator(seed: 5)
            for round in 0..<(Self.isLong ? 200 : 10) {
                let service = try await start()
                let client = try TestClient(on: bus)
                let load = try Load(self, client, outstanding: 32, for: .seconds(60))
                let goal = Int.random(in: 1...400, using: &generator)
                try await waitUntil("\(goal) events are acknowledged") {
                    load.outcomes.count >= goal
                }
                service.process.send(SIGKILL)
                try service.process.waitForEnd()
                try await waitUntil("all calls are over") { load.outcomes.count == load.sent.count }
                known.formUnion(load.ids)
                #expect(load.ids.count >= goal, "round \(round)")
            }
            let service = try await start()
            let client = try TestClient(on: bus)
            let stored = Set(try await client.allEvents(limit: 10_000).map(\.id))
            #expect(known.subtracting(stored).isEmpty)
            #expect(try await client.sentinel.health() == "ok")
            #expect(try service.stop() == .exited(0))
        }

        @Test("every call of many clients at once is answered once, in bounded memory")
        func flood() async throws {
            let service = try await start()
            let (count, time): (Int, Duration) = Self.isLong ? (1000, .seconds(60)) : (50, .seconds(5))
            let loops = try (0..<4).map { _ in try EventLoop.startThread(named: "flood") }
            let clients = try (0..<count).map { number in
                try Connection(to: try BusAddress(bus.address), on: loops[number % loops.count])
            }
            let replies = Recorder<Bool>()
            let failures = Recorder<DBusError>()
            let sent = Recorder<Bool>()
            let end = ContinuousClock.now + time
            @Sendable func send(_ connection: Connection) {
                do {
                    let message = try Message.methodCall(
                        to: TestClient.service, "/org/sentinel", Events1.name, "Record"
                    ) { (writer) throws(DBusError) in
                        try writer.write("flood")
                        try writer.write("com.example.Flood")
                        try writer.write(["data" as Key: Value.options(["pad": .string("some text")])])
                    }
                    sent.append(true)
                    connection.call(message, timeout: time + patience) { result in
                        replies.append(true)
                        if case .failure(let error) = result, error.code != .limitsExceeded {
                            failures.append(error)
                        }
                        if ContinuousClock.now < end {
                            send(connection)
                        }
                    }
                } catch {
                    failures.append(DBusError(.failed, "\(error)"))
                }
            }
            for client in clients {
                for _ in 0..<4 {
                    send(client)
                }
            }
            try await waitUntil("all is answered", within: time + patience) {
                ContinuousClock.now > end && replies.count == sent.count
            }
            #expect(failures.elements.isEmpty, "\(failures.elements.first.map(\.description) ?? "")")
            #expect(sent.count > count * 4)
            if ProcessFacts.isMemoryMeaningful {
                #expect(try ProcessFacts(identifier: service.process.identifier).proportionalSetSize < 96 << 20)
            }
            let client = try TestClient(on: bus)
            #expect(try await client.events.eventCount() > 0)
            for connection in clients {
                connection.close()
            }
            for loop in loops {
                loop.enqueue { loop.stop() }
            }
            #expect(try service.stop() == .exited(0))
        }

        @Test("the log of the database is on disk before the reply goes out")
        func sync() async throws {
            let service = try await start()
            let client = try TestClient(on: bus)
            try await client.record()
            let trace = directory.path(of: "trace")
            let tracer = try ChildProcess([
                "strace", "-f", "-y", "-s", "64", "-e", "trace=pwrite64,write,fsync,fdatasync,sendmsg", "-o", trace,
                "-p",
                "\(service.process.identifier)",
            ])
            try await waitUntil("the tracer is attached") { tracer.errors.contains("attached") }
            for _ in 0..<20 {
                try await client.record()
            }
            tracer.send(SIGINT)
            try tracer.waitForEnd()
            let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
            var (replies, syncs) = (0, 0)
            var isUnsynced = false
            // Threads whose call has not come back when another's is traced.
            var syncing: Set<Substring> = []
            for line in lines {
                let thread = line.prefix { $0 != " " }
                let isLog = line.contains("sentinel.db-wal>")
                if isLog, line.contains("pwrite64(") || line.contains(" write(") {
                    isUnsynced = true
                } else if isLog, line.contains("sync("), line.contains("<unfinished") {
                    syncing.insert(thread)
                } else if isLog && line.contains("sync(")
                    || line.contains("sync resumed>") && syncing.remove(thread) != nil
                {
                    isUnsynced = false
                    syncs += 1
                } else if line.contains("sendmsg("), line.contains("<socket:") || line.contains("<UNIX") {
                    #expect(!isUnsynced, "\(line)")
                    replies += 1
                }
            }
            #expect(replies >= 20, "\(lines.suffix(40).joined(separator: "\n"))")
            #expect(syncs >= 20)
            #expect(try service.stop() == .exited(0))
        }
    }
}
