// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite(
        "Recording from a sandbox", .serialized, .timeLimit(.minutes(5)),
        .enabled(if: geteuid() == 0, "chroot(2) is root's"))
    struct ConfinedRecordingTests {
        private let fixture: ServiceFixture
        private let confinement: Confinement

        init() async throws {
            fixture = try await ServiceFixture()
            confinement = try Confinement(programs: ["busctl"])
            try confinement.writeInfo("[Application]\nname=com.example.Boxed\n")
            try confinement.link(fixture.bus)
        }

        private func call(_ arguments: String...) async throws -> Command.Result {
            try await call(arguments)
        }

        private func call(_ arguments: [String]) async throws -> Command.Result {
            try await Command.run(
                confinement.arguments(
                    [
                        "busctl", "--address=unix:path=/bus", "--", "call", "org.sentinel", "/org/sentinel",
                        "org.sentinel.Events1",
                    ]
                        + arguments))
        }

        private func denies(_ arguments: String...) async throws -> Bool {
            let result = try await call(arguments)
            return result.status != 0 && result.errors.contains("Access denied")
        }

        @Test("a sandboxed application records events of its own, registered or not")
        func own() async throws {
            for source in ["", "com.example.Boxed"] {
                let result = try await call("Record", "ssa{sv}", "test", source, "0")
                #expect(result.status == 0, "\(result.errors)")
            }
            let batch = try await call(
                "RecordBatch", "a(ssxda{sv})", "2", "a", "", "0", "-1", "0", "b", "com.example.Boxed", "0", "-1", "0")
            #expect(batch.output == "t 2\n")
            let all = try await fixture.client.allEvents()
            #expect(all.map(\.source) == [String](repeating: "com.example.Boxed", count: 4))
        }

        @Test("it records none of others, replaces none of others, and does nothing else")
        func others() async throws {
            let client = fixture.client
            try await client.register("com.example.Other")
            let id = try await client.record("kept", source: "com.example.Other")
            let count = try await client.events.eventCount()
            for source in ["com.example.Other", "org.sentinel", "com.example.Boxed2", "x"] {
                #expect(try await denies("Record", "ssa{sv}", "test", source, "0"))
                #expect(
                    try await denies(
                        "RecordBatch", "a(ssxda{sv})", "2", "a", "", "0", "-1", "0", "b", source, "0", "-1", "0"))
            }
            #expect(try await denies("Record", "ssa{sv}", "test", "", "1", "id", "s", id))
            #expect(
                try await denies(
                    "RecordBatch", "a(ssxda{sv})", "1", "a", "", "0", "-1", "1", "id", "s", id.uppercased()))
            #expect(try await denies("Query", "a{sv}us", "0", "0", ""))
            #expect(try await denies("Count", "a{sv}", "0"))
            #expect(try await denies("Delete", "a{sv}", "1", "everything", "b", "true"))
            #expect(try await denies("Forget", "d", "1"))
            #expect(try await denies("Pause", "d", "0"))
            #expect(try await denies("Resume"))
            #expect(try await denies("ApplyRules", "a{sv}", "0"))
            #expect(try await denies("Subscribe", "a{sv}", "0"))
            #expect(try await denies("Unsubscribe", "u", "1"))
            #expect(try await denies("ExportText", "sa{sv}s", "csv", "0", ""))
            for member in ["Capturing", "Rules", "EventCount", "Location"] {
                let result = try await Command.run(
                    confinement.arguments([
                        "busctl", "--address=unix:path=/bus", "get-property", "org.sentinel", "/org/sentinel",
                        "org.sentinel.Events1", member,
                    ]))
                #expect(result.status != 0)
            }
            #expect(try await client.events.eventCount() == count)
            #expect(try await client.event(id: id).type == "kept")
            #expect(try await client.events.capturing())
        }

        @Test("its pairs are closed, and by no event that would replace one of others")
        func pairs() async throws {
            let client = fixture.client
            let id = try await client.record("kept", source: "com.example.Other")
            let opening = try await call("Record", "ssa{sv}", "app.foreground", "", "0")
            #expect(opening.status == 0, "\(opening.errors)")
            #expect(try await denies("Record", "ssa{sv}", "app.background", "", "1", "id", "s", id))
            #expect(try await client.event(["type": .string("app.foreground")]).isMarked("open"))
            let closing = try await call("Record", "ssa{sv}", "app.background", "", "0")
            #expect(closing.status == 0, "\(closing.errors)")
            let foreground = try await client.event(["type": .string("app.foreground")])
            #expect(!foreground.isMarked("open"))
            #expect(foreground.duration >= 0)
            #expect(try await client.event(["type": .string("app.background")]).duration == -1)
            #expect(try await client.event(id: id).type == "kept")
        }

        @Test("its own events it replaces by their ids")
        func replacing() async throws {
            let id = "01234567-89ab-cdef-0123-456789abcdef"
            for type in ["first", "second"] {
                let result = try await call("Record", "ssa{sv}", type, "", "1", "id", "s", id)
                #expect(result.output == "s \"\(id)\"\n")
            }
            #expect(try await fixture.client.event(id: id).type == "second")
        }
    }
}
