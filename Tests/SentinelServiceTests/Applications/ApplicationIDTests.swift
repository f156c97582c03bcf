// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// One service for all of a table: ids that differ must not get in each other's way.
    @Suite("Application ids", .serialized, .timeLimit(.minutes(5)))
    struct ApplicationIDTests {
        static let valid = [
            "a.b", "A.B", "_._", "com.example.App", "com.example.app", "com.example.a-b", "com.example.a_b", "a-.b-",
            "-a.-b",
            "com.example.App1", "org.sentinel2", "ORG.SENTINEL", "org.sentinel.Sentinel1", "org.freedesktop.DBus",
            "a.b.c.d.e.f.g.h", "x." + String(repeating: "y", count: 253),
        ]

        static let invalid = [
            "a", "a-b", ".", "..", ".a.b", "a.b.", "a..b", "1a.b", "a.1b", "a.2",
            "token_with_special_&", "/", "../", "../../etc/passwd", "/org/sentinel", ":1.5", "com.example.App ",
            " com.example.App", "com.exa mple", "com.example.\u{E9}", "com.example.e\u{301}", "\u{1F600}",
            "\u{1F600}.\u{1F680}", "com.example.App\n", "com.example.\u{202E}App", "com.example.App\u{200B}", "%s.%n",
            "com.example.*", "com_2eexample_2eApp", "x." + String(repeating: "y", count: 254),
            String(repeating: "a", count: 64 << 10), String(repeating: "a.", count: 32 << 10) + "a",
        ]

        @Test("valid ids have an object with that id, and a path that says it")
        func validIDs() async throws {
            let fixture = try await ServiceFixture()
            var paths: Set<ObjectPath> = []
            for id in Self.valid {
                let path = try await fixture.client.register(id)
                #expect(path.text.hasPrefix("/org/sentinel/apps/"))
                #expect(try await fixture.client.application(at: path).id() == id)
                paths.insert(path)
            }
            #expect(paths.count == Self.valid.count)
            #expect(try await fixture.client.sentinel.listApplications().count == Self.valid.count + 1)
            try fixture.stop()
        }

        @Test("everything else is refused by every method that takes an id, and leaves nothing behind")
        func invalidIDs() async throws {
            let fixture = try await ServiceFixture()
            let sentinel = fixture.client.sentinel
            for id in Self.invalid {
                await expectError(.invalidArgs, mentioning: "application id") { try await fixture.client.register(id) }
                await expectError(.invalidArgs) { try await sentinel.unregister(applicationID: id, options: [:]) }
                await expectError(.invalidArgs) { try await sentinel.forget(applicationID: id, options: [:]) }
            }
            #expect(try await sentinel.listApplications().map(\.id) == ["org.sentinel"])
            try fixture.stop()
        }

        @Test("the service itself cannot be registered, ended or forgotten, by its id or the empty text")
        func ownID() async throws {
            let fixture = try await ServiceFixture()
            let sentinel = fixture.client.sentinel
            for id in ["", "org.sentinel"] {
                await expectError(.accessDenied, mentioning: "org.sentinel") { try await fixture.client.register(id) }
                await expectError(.accessDenied) { try await sentinel.unregister(applicationID: id, options: [:]) }
                await expectError(.notSupported) { try await sentinel.forget(applicationID: id, options: [:]) }
            }
            let entry = try #require(try await fixture.client.entry(of: "org.sentinel"))
            #expect(entry.object == "/org/sentinel")
            #expect(entry.running)
            let own = fixture.client.application(at: "/org/sentinel")
            #expect(try await own.processID() == UInt32(fixture.service.process.identifier))
            #expect(try await own.instances().count == 1)
            try fixture.stop()
        }

        @Test("what is not known cannot be ended or forgotten")
        func unknown() async throws {
            let fixture = try await ServiceFixture()
            let sentinel = fixture.client.sentinel
            let code: ErrorName = "org.sentinel.Error.UnknownApplication"
            await expectError(code, mentioning: "com.example.App") {
                try await sentinel.unregister(applicationID: "com.example.App", options: [:])
            }
            await expectError(code) { try await sentinel.forget(applicationID: "com.example.App", options: [:]) }
            try await fixture.client.register("com.example.App")
            try await sentinel.forget(applicationID: "com.example.App", options: [:])
            await expectError(code) { try await sentinel.forget(applicationID: "com.example.App", options: [:]) }
            try fixture.stop()
        }
    }
}
