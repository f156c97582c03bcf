// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Files to import", .serialized, .timeLimit(.minutes(5)))
    struct ImportTests {
        private static let id = "01234567-89ab-cdef-0123-456789abcdef"
        private static let line = #"{"id":"\#(id)","timestamp":\#(RecentTime.start),"type":"t","source":"s"}"#

        private let fixture: ServiceFixture
        private let directory: TemporaryDirectory
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
            directory = try TemporaryDirectory()
            // The events of these files are old.
            try await fixture.client.events.setRetentionDays(0)
        }

        private func importing(_ text: String, _ format: String) async throws -> (recorded: UInt64, skipped: UInt64) {
            let path = directory.path(of: "file")
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            let file = FileDescriptor(owning: open(path, O_RDONLY))
            return try await client.events.import(file: file, format: format, options: [:])
        }

        /// Files that have one event.
        static let goodFiles: [(format: String, text: String)] = [
            ("jsonl", line), ("jsonl", line + "\n"), ("jsonl", "\r\n\n" + line + "\r\n\n"),
            ("jsonl", "\u{FEFF}" + line),
            ("jsonl", line.dropLast() + #","more":[null,1e300],"duration":0,"open":false}"#),
            ("csv", "id,timestamp,type,source\n\(id),\(RecentTime.start),t,s"),
            (
                "csv",
                "\u{FEFF}source,type,x,timestamp,id\r\n\r\n\"s\",t,\"a\n\"\"b\",\(RecentTime.start),\(id.uppercased())\r\n"
            ),
            ("csv", "\u{FEFF}\"id\",\"timestamp\",\"type\",\"source\"\n\"\(id)\",\"\(RecentTime.start)\",\"t\",\"s\""),
            ("csv", "id,timestamp,type,source,duration,data\n\(id),\(RecentTime.start),t,s,,\n\n"),
        ]

        @Test("lines end with LF or CRLF or the file, and what is unknown is ignored", arguments: goodFiles.indices)
        func goodFile(index: Int) async throws {
            let (format, text) = Self.goodFiles[index]
            let outcome = try await importing(text, format)
            #expect(outcome.recorded == 1)
            #expect(outcome.skipped == 0)
            let event = try await client.event(id: Self.id)
            #expect(event.timestamp == RecentTime.start)
            #expect(event.type == "t")
            #expect(event.source == "s")
            #expect(event.attributes.isEmpty)
        }

        /// What the second line of a file must not be, with what the message mentions.
        static let badLines: [(line: String, mention: String)] = [
            ("x", "expected"), ("[]", "object"), ("{}", "id is missing"),
            (#"{"id":1}"#, "id has a wrong type"), (line.dropLast() + #","type":"u"}"#, "one key"),
            (line.dropLast() + #","duration":-2}"#, "duration"), (line.dropLast() + #","duration":"1"}"#, "duration"),
            (line.dropLast() + #","open":1}"#, "open"), (line.dropLast() + #","open":true,"duration":1}"#, "open"),
            (line.dropLast() + #","data":[]}"#, "data"), (line.dropLast() + #","data":{"k":null}}"#, "null"),
            (line.dropLast() + #","data":{"k":"\u0000"}}"#, "NUL"),
            (line.dropLast() + #","data":{"k":{"$bytes":"!"}}}"#, "Base64"),
            (line.dropLast() + #","data":{"k":[[[[[[[[[1]]]]]]]]]}}"#, "8 deep"),
            (line.dropLast() + #","data":{"k":"\#(String(repeating: "x", count: 65_536))"}}"#, "65536"),
            (String(repeating: "x", count: 1 << 21), "longer"), ("\u{1}", "expected"),
        ]

        @Test("a line that is no event is named, and nothing of the chunk is kept", arguments: badLines.indices)
        func badLine(index: Int) async throws {
            let (line, mention) = Self.badLines[index]
            await expectError(.invalidArgs, mentioning: "line 2: ", mention, "nothing was recorded") {
                _ = try await importing("\(Self.line)\n\(line)\n\(Self.line)\n", "jsonl")
            }
            #expect(try await client.events.eventCount() == 0)
        }

        /// Rows that are refused, with what the message mentions.
        static let badRows: [(text: String, mention: String)] = [
            ("", "columns are missing"), ("id,timestamp,type\n", "no column source"),
            ("id,timestamp,type,source,id\n", "two columns"),
            ("id,timestamp,type,source\n\(id),\(RecentTime.start),t\n", "line 2: 3 fields"),
            ("id,timestamp,type,source\n\(id),\(RecentTime.start),t,\"a\"\r\"b\"\n", "line 2: a carriage return"),
            ("id,timestamp,type,source\n\(id),\(RecentTime.start),\"a\"\r,s\n", "line 2: a carriage return"),
            ("id,timestamp,type,source\n\(id),x,t,s\n", "line 2: timestamp"),
            ("id,timestamp,type,source\n\n\(id),\(RecentTime.start),\"a\nb\",s\n", "line 3: "),
            ("id,timestamp,type,source\n\(id),1,\"t\"x,s\n", "line 2: a quoted field"),
            ("id,timestamp,type,source\n\(id),1,t\",s\n", "line 2: a field has"),
            ("id,timestamp,type,source\n\"\(id)\n\n", "line 2: the file ends"),
            ("id,timestamp,type,source,data\n\(id),\(RecentTime.start),t,s,[]\n", "line 2: data"),
            ("id,timestamp,type,source,open\n\(id),\(RecentTime.start),t,s,yes\n", "line 2: open"),
        ]

        @Test("a row that is no event is named with the line at which it begins", arguments: badRows.indices)
        func badRow(index: Int) async throws {
            let (text, mention) = Self.badRows[index]
            await expectError(.invalidArgs, mentioning: mention) { _ = try await importing(text, "csv") }
            #expect(try await client.events.eventCount() == 0)
        }

        @Test("what was stored before the bad line of a large file stays, and the file can be imported again")
        func chunks() async throws {
            let lines = (0..<25_000).map { number in
                let digits = String(number)
                let id = "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
                return #"{"id":"\#(id)","timestamp":\#(RecentTime.start + Int64(number)),"type":"t","source":"s"}"#
            }
            await expectError(.invalidArgs, mentioning: "line 25001", "20000 events were recorded before") {
                _ = try await importing((lines + ["bad"]).joined(separator: "\n"), "jsonl")
            }
            #expect(try await client.events.eventCount() == 20_000)
            let outcome = try await importing(lines.joined(separator: "\n"), "jsonl")
            #expect(outcome.recorded == 5000)
            #expect(outcome.skipped == 20_000)
            #expect(try await client.events.eventCount() == 25_000)
        }
    }
}
