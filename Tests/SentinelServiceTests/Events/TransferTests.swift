// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Export and import", .serialized, .timeLimit(.minutes(5)))
    struct TransferTests {
        private let fixture: ServiceFixture
        private let directory: TemporaryDirectory
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
            directory = try TemporaryDirectory()
            // The events of these files are old.
            try await fixture.client.events.setRetentionDays(0)
        }

        private func open(_ name: String, _ flags: Int32 = O_RDWR | O_CREAT) throws -> FileDescriptor {
            let descriptor = Glibc.open(directory.path(of: name), flags, 0o600)
            guard descriptor >= 0 else { throw TestSupportError("cannot open \(name)") }
            return FileDescriptor(owning: descriptor)
        }

        private func text(_ name: String) throws -> String {
            try String(contentsOfFile: directory.path(of: name), encoding: .utf8)
        }

        private func write(_ text: String, to name: String) throws {
            try text.write(toFile: directory.path(of: name), atomically: false, encoding: .utf8)
        }

        private func pipe() throws -> (reading: FileDescriptor, writing: FileDescriptor) {
            var ends: [Int32] = [0, 0]
            guard Glibc.pipe(&ends) == 0 else { throw TestSupportError("no pipe") }
            return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
        }

        /// Records events with every mark and every kind of data.
        private func fill() async throws {
            _ = try await client.events.recordBatch(
                events: (0..<30).map { number in
                    EventRecord(
                        type: "type,\(number)", source: "source \"\(number)\"",
                        timestamp: RecentTime.start + Int64(number),
                        duration: number % 2 == 0 ? -1 : 0.1 * Double(number),
                        options: [
                            "data": .options([
                                "b": .boolean(true), "x": .int64(.min), "d": .double(2),
                                "s": .string("\"é\"\r\n,\u{1}"),
                                "ay": .bytes([0, 1, 255]), "$k": .options(["$bytes": .string("no bytes")]),
                                "a": .strings(["1", "2"]),
                            ])
                        ])
                })
            try await client.record(
                "open", ["open": .boolean(true), "timestamp": .int64(RecentTime.start - 1_000_000_000)])
            try await client.events.setRules([RuleEntry(action: "redact", field: "type", pattern: "bare")])
            try await client.record("bare", ["data": .options(["k": .int32(1)])])
            try await client.events.setRules([])
        }

        @Test("what is exported is imported elsewhere as it was", arguments: ["jsonl", "csv"])
        func roundTrip(format: String) async throws {
            try await fill()
            let all = try await client.allEvents()
            let count = try await client.events.export(file: try open("all"), format: format, options: [:])
            #expect(count == UInt64(all.count))

            let other = try await ServiceFixture()
            try await other.client.events.setRetentionDays(0)
            let file = try open("all", O_RDONLY)
            let outcome = try await other.client.events.import(file: file, format: format, options: [:])
            #expect(outcome.recorded == count)
            #expect(outcome.skipped == 0)
            #expect(try await other.client.allEvents() == all)

            // The same file again changes nothing.
            let again = try await other.client.events.import(
                file: try open("all", O_RDONLY), format: format, options: [:])
            #expect(again.recorded == 0)
            #expect(again.skipped == count)
            #expect(try await other.client.allEvents() == all)
        }

        @Test("each line of jsonl is an object of an event, and csv has a line of columns before")
        func formats() async throws {
            let id = try await client.record(
                "a,b",
                [
                    "timestamp": .int64(RecentTime.start), "duration": .double(1.5),
                    "data": .options(["k": .string("\"")]),
                ])
            try await client.record(
                "open", ["timestamp": .int64(RecentTime.start - 1_000_000_000), "open": .boolean(true)])
            let open = try await client.event(["type": .string("open")]).id
            _ = try await client.events.export(file: try self.open("j"), format: "jsonl", options: [:])
            #expect(
                try text("j") == """
                    {"id":"\(id)","timestamp":\(RecentTime.start),"type":"a,b","source":"com.example.Test","duration":1.5,"data":{"k":"\\""}}
                    {"id":"\(open)","timestamp":\(RecentTime.start - 1_000_000_000),"type":"open","source":"com.example.Test","duration":-1.0,"open":true}

                    """)
            _ = try await client.events.export(file: try self.open("c"), format: "csv", options: [:])
            #expect(
                try text("c").utf8.elementsEqual(
                    ("id,timestamp,type,source,duration,open,interrupted,redacted,data\r\n"
                        + "\(id),\(RecentTime.start),\"a,b\",com.example.Test,1.5,false,false,false,\"{\"\"k\"\":\"\"\\\"\"\"\"}\"\r\n"
                        + "\(open),\(RecentTime.start - 1_000_000_000),open,com.example.Test,-1.0,true,false,false,\r\n")
                        .utf8))
        }

        @Test("a filter narrows what is exported and imported, and rules what is imported")
        func filters() async throws {
            try await fill()
            let filter: Value = .options(["type_prefix": .string("type,1")])
            #expect(
                try await client.events.export(file: try open("some"), format: "csv", options: ["filter": filter]) == 11
            )
            _ = try await client.events.export(file: try open("all"), format: "jsonl", options: [:])
            let other = try await ServiceFixture()
            try await other.client.events.setRetentionDays(0)
            try await other.client.events.setRules([
                RuleEntry(action: "deny", field: "type", pattern: "type,11"),
                RuleEntry(action: "redact", field: "type", pattern: "type,12"),
            ])
            let outcome = try await other.client.events.import(
                file: try open("all", O_RDONLY), format: "jsonl", options: ["filter": filter])
            #expect(outcome.recorded == 10)
            #expect(outcome.skipped == 32 - 10)
            #expect(
                try await other.client.event(["type": .string("type,12")]).attributes == ["redacted": .boolean(true)])
            await expectError(.invalidArgs, mentioning: "filter") {
                _ = try await client.events.export(
                    file: try open("some"), format: "csv", options: ["filter": .string("x")])
            }
        }

        @Test("the parts of the text are the export", arguments: ["jsonl", "csv"])
        func exportText(format: String) async throws {
            for _ in 0..<8 {
                _ = try await client.events.recordBatch(
                    events: (0..<20).map { _ in
                        EventRecord(
                            type: "test", source: "s", timestamp: 0, duration: -1,
                            options: ["data": .options(["pad": .string(String(repeating: "\u{1}", count: 5000))])])
                    })
            }
            var parts: [String] = []
            var cursor = ""
            repeat {
                let part = try await client.events.exportText(format: format, filter: [:], cursor: cursor)
                #expect(part.text.utf8.count <= 4 << 20)
                #expect(part.text.hasSuffix("\n") || part.text.utf8.last == 0x0A)
                parts.append(part.text)
                cursor = part.nextCursor
            } while !cursor.isEmpty
            #expect(parts.count > 1)
            _ = try await client.events.export(file: try open("file"), format: format, options: [:])
            #expect(try text("file").utf8.elementsEqual(parts.joined().utf8))
        }

        @Test("a file that cannot be written or read, or a format that is none, is refused")
        func badArguments() async throws {
            try write("", to: "file")
            let (reading, writing) = try (open("file", O_RDONLY), open("file", O_WRONLY))
            let path = try open("file", 0o10000000)
            let folder = FileDescriptor(owning: Glibc.open(directory.path, O_RDONLY | O_DIRECTORY))
            let events = client.events
            for format in ["", "JSONL", "json", "xml"] {
                await expectError(.invalidArgs, mentioning: "jsonl and csv") {
                    _ = try await events.export(file: writing, format: format, options: [:])
                }
                await expectError(.invalidArgs, mentioning: "jsonl and csv") {
                    _ = try await events.import(file: reading, format: format, options: [:])
                }
                await expectError(.invalidArgs, mentioning: "jsonl and csv") {
                    _ = try await events.exportText(format: format, filter: [:], cursor: "")
                }
            }
            for file in [reading, path, folder] {
                await expectError(.invalidArgs, mentioning: "descriptor") {
                    _ = try await events.export(file: file, format: "csv", options: [:])
                }
            }
            for file in [writing, path, folder] {
                await expectError(.invalidArgs, mentioning: "descriptor") {
                    _ = try await events.import(file: file, format: "csv", options: [:])
                }
            }
            try await client.record()
            let full = FileDescriptor(owning: Glibc.open("/dev/full", O_WRONLY))
            await expectError("org.sentinel.Error.Unavailable", mentioning: "space") {
                _ = try await events.export(file: full, format: "csv", options: [:])
            }
            // Nothing of it keeps the client from the next one.
            #expect(try await events.export(file: writing, format: "csv", options: [:]) == 1)
        }

        @Test("a pipe that nobody reads delays nobody, and keeps its own client from a second transfer alone")
        func blockedPipe() async throws {
            for _ in 0..<10 {
                _ = try await client.events.recordBatch(
                    events: (0..<100).map { _ in
                        EventRecord(
                            type: "test", source: "s", timestamp: 0, duration: -1,
                            options: ["data": .options(["pad": .bytes([UInt8](repeating: 1, count: 1000))])])
                    })
            }
            let other = try TestClient(on: fixture.bus)
            let (reading, writing) = try pipe()
            async let exported = client.events.export(file: writing, format: "jsonl", options: [:])
            var byte = pollfd(fd: reading.rawValue, events: Int16(POLLIN), revents: 0)
            try await waitUntil("the export has begun") { poll(&byte, 1, 0) == 1 }
            await expectError(.limitsExceeded, mentioning: "under way") {
                _ = try await client.events.export(file: try open("x"), format: "csv", options: [:])
            }
            await expectError(.limitsExceeded, mentioning: "under way") {
                _ = try await client.events.import(file: try open("x"), format: "csv", options: [:])
            }
            try await other.record()
            #expect(try await other.events.export(file: try open("y"), format: "jsonl", options: [:]) == 1001)
            let task = Task.detached { [reading] in
                var total = 0
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while total < 1000 {
                    let count = read(reading.rawValue, &buffer, buffer.count)
                    guard count > 0 else { break }
                    total += buffer[..<count].count { $0 == 0x0A }
                }
                return total
            }
            #expect(try await exported >= 1000)
            #expect(await task.value >= 1000)
        }

        @Test("eight transfers are under way at a time, and no more")
        func limit() async throws {
            var others: [(client: TestClient, writing: FileDescriptor)] = []
            for _ in 0..<8 {
                let other = try TestClient(on: fixture.bus)
                // Who calls for the first time is identified before the call counts.
                _ = try await other.sentinel.version()
                let (reading, writing) = try pipe()
                let message = try Message.methodCall(
                    to: TestClient.service, "/org/sentinel", Events1.name, "Import"
                ) { (writer) throws(DBusError) in
                    try writer.write(reading)
                    try writer.write("jsonl")
                    try writer.write([Key: Value]())
                }
                other.connection.call(message) { _ in }
                _ = try await other.sentinel.version()
                others.append((other, writing))
            }
            #expect(try await !mayExport())
            others.removeLast().client.close()
            try await waitUntil("one is over") { try await mayExport() }
            withExtendedLifetime(others) {}
        }

        /// Exports, and tells whether that was allowed beside the transfers that are under way.
        private func mayExport() async throws -> Bool {
            do {
                _ = try await client.events.export(file: try open("x"), format: "csv", options: [:])
                return true
            } catch let error as DBusError where error.code == .limitsExceeded {
                #expect(error.message.contains("8 exports, imports and reports"))
                return false
            }
        }

        @Test("a transfer whose client has gone, or whose reader has, ends")
        func ending() async throws {
            for _ in 0..<3 {
                _ = try await client.events.recordBatch(
                    events: (0..<1000).map { _ in
                        EventRecord(
                            type: "test", source: "s", timestamp: 0, duration: -1,
                            options: ["data": .options(["pad": .bytes([UInt8](repeating: 1, count: 500))])])
                    })
            }
            let facts = ProcessFacts(identifier: fixture.service.process.identifier)
            let before = try facts.pipeCount
            do {
                let other = try TestClient(on: fixture.bus)
                let (reading, writing) = try pipe()
                let message = try Message.methodCall(
                    to: TestClient.service, "/org/sentinel", Events1.name, "Export"
                ) { (writer) throws(DBusError) in
                    try writer.write(writing)
                    try writer.write("jsonl")
                    try writer.write([Key: Value]())
                }
                other.connection.call(message) { _ in }
                try await waitUntil("the export has begun") { try facts.pipeCount > before }
                other.close()
                withExtendedLifetime(reading) {}
            }
            try await waitUntil("all is let go of") { try facts.pipeCount <= before }
            let code: ErrorName = "org.sentinel.Error.Unavailable"
            await expectError(code, mentioning: "written") {
                let (_, writing) = try pipe()
                _ = try await client.events.export(file: writing, format: "jsonl", options: [:])
            }
        }

        @Test("the service ends while an export waits for its reader")
        func serviceEnds() async throws {
            for _ in 0..<3 {
                _ = try await client.events.recordBatch(
                    events: (0..<1000).map { _ in
                        EventRecord(
                            type: "test", source: "s", timestamp: 0, duration: -1,
                            options: ["data": .options(["pad": .bytes([UInt8](repeating: 1, count: 500))])])
                    })
            }
            let (reading, writing) = try pipe()
            let events = client.events
            let task = Task { try await events.export(file: writing, format: "jsonl", options: [:]) }
            var byte = pollfd(fd: reading.rawValue, events: Int16(POLLIN), revents: 0)
            try await waitUntil("the export has begun") { poll(&byte, 1, 0) == 1 }
            try fixture.stop()
            #expect(!fixture.service.process.errors.contains("gave up"))
            await expectError("org.sentinel.Error.Unavailable") { _ = try await task.value }
        }
    }
}
