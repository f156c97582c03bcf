// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Preferences in GSettings", .serialized, .timeLimit(.minutes(5)))
    struct GSettingsTests {
        private static let id = "com.example.Manifest"
        private static let path: ObjectPath = "/org/sentinel/apps/com_2eexample_2eManifest"
        private static let place = "home/sentinel/apps/\(id).json"

        /// A preference of the manifest; its key is that of the settings.
        private static func preference(
            _ key: String, _ value: String, _ more: String = "", schema: String = SettingsSchema.id
        ) -> String {
            """
            {"key": "\(key)", "name": "N", "default": \(value)\(more.isEmpty ? "" : ", \(more)"),
             "storage": {"gsettings": {"schema": "\(schema)", "key": "\(key)"}}}
            """
        }

        private static func manifest(_ preferences: String...) -> String {
            """
            {"application": {"id": "\(id)"},
             "preferences": [{"key": "plain", "name": "N", "default": 1}, \(preferences.joined(separator: ", "))]}
            """
        }

        /// The service with a manifest, and its preferences once they are declared.
        ///
        /// - Parameter program: a shell script in the place of `gsettings`; nil for the real one.
        private static func start(
            _ manifest: String, installing: Bool = true, program: String? = nil, environment: [String: String] = [:]
        ) async throws -> (fixture: FactsFixture, preferences: Preferences1Proxy) {
            let tree = try FileTree()
            try SettingsSchema.prepare(tree)
            if installing {
                try await SettingsSchema.install(in: tree)
            }
            var variables = SettingsSchema.environment(tree)
            if let program {
                let file = try tree.write("bin/gsettings", "#!/bin/sh\n\(program)\n")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
                let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                variables["PATH"] = "\(tree.path("bin")):\(path)"
            }
            try tree.write(place, manifest)
            let fixture = try await FactsFixture(environment: variables.merging(environment) { $1 }, tree: tree)
            let preferences = fixture.client.preferences(at: path)
            try await waitUntil("the manifest is read") {
                guard try await fixture.client.entry(of: id) != nil else { return false }
                return try await !preferences.list().isEmpty
            }
            return (fixture, preferences)
        }

        private static func findings(_ fixture: FactsFixture) async throws -> [String] {
            guard let value = try await fixture.client.sentinel.healthDetails()["manifests"] else { return [] }
            return try [String](value)
        }

        /// Waits until a finding tells of something.
        private static func waitForFinding(_ words: String..., in fixture: FactsFixture) async throws {
            try await waitUntil("\(words) is found") {
                try await findings(fixture).contains { finding in words.allSatisfy { finding.contains($0) } }
            }
        }

        /// The processes that the service has started and that have not been taken note of.
        private static func children(of fixture: FactsFixture) throws -> [Int32] {
            let service = fixture.service.process.identifier
            return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
                process in
                // One that is gone meanwhile is none any more.
                let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                return stat?.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
                    == service
            }
        }

        /// Those of them that watch for changes.
        private static func watchers(of fixture: FactsFixture) throws -> [Int32] {
            try children(of: fixture).filter { process in
                // One that is gone meanwhile is none any more.
                let text = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
                return text?.contains("\0monitor\0") == true
            }
        }

        private static let choices = #""choices": [{"value": "light", "title": "L"}, {"value": "dark", "title": "D"}]"#

        @Test(
            "have the value that is there, and write it as the key's type wants it",
            arguments: [
                (preference("toggle", "true"), Value.boolean(false), Value.boolean(true), "true"),
                (preference("integer", "1"), .int64(5), .int64(-7), "-7"),
                (preference("unsigned", "1"), .int64(5), .int64(10), "uint32 10"),
                (preference("long", "1"), .int64(5), .int64(.min), "int64 -9223372036854775808"),
                (preference("byte", "1"), .int64(5), .int64(255), "byte 0xff"),
                (preference("double", "1.5"), .double(0.5), .double(0.1), "0.10000000000000001"),
                (preference("integer", "1", #""kind": "double""#), .double(5), .double(9), "9"),
                (
                    preference("text", #""""#), .string("it's"), .string("a 'b' \"c\" \\ \n é🦉"),
                    #""a 'b' \"c\" \\ \n é🦉""#
                ),
                (preference("mode", #""dark""#, choices), .string("light"), .string("dark"), "'dark'"),
                (
                    preference("text", #""""#, schema: "\(SettingsSchema.id).Relocatable:/com/example/one/"),
                    .string("there"), .string("here"), "'it\\'s'"
                ),
            ])
        func kinds(preference: String, before: Value, after: Value, text: String) async throws {
            let (fixture, preferences) = try await Self.start(Self.manifest(preference))
            let key = try #require(try await preferences.list().last?.key)
            #expect(try await preferences.get(key: key) == before)
            #expect(try await preferences.set(key: key, value: after) == after)
            #expect(try await preferences.get(key: key) == after)
            let isElsewhere = preference.contains("Relocatable")
            let stored = try await SettingsSchema.call("get", SettingsSchema.id, key, in: fixture.tree)
            #expect(isElsewhere || stored == "\(text)\n")
            #expect(try await preferences.explain(key: key).map(\.layer) == ["provider"])
            #expect(try await Self.findings(fixture) == [])
            try fixture.stop()
        }

        @Test("are told when others change them, and nothing goes on once they are not wanted")
        func followed() async throws {
            let (fixture, preferences) = try await Self.start(
                Self.manifest(Self.preference("integer", "1"), Self.preference("toggle", "true")))
            let changes = try await fixture.client.recordPreferences("Changed")
            try await waitUntil("what is there is known") {
                try await preferences.list().allSatisfy { $0.attributes["stale"] == nil }
            }
            try await waitUntil("one process watches the schema") { try Self.watchers(of: fixture).count == 1 }
            try await SettingsSchema.call("set", SettingsSchema.id, "integer", "42", in: fixture.tree)
            try await waitUntil("the change is told") {
                try changes.signals.elements.map(PreferenceChangeSignal.init).contains {
                    $0.values["integer"] == .int64(42)
                }
            }
            #expect(try await preferences.list().first { $0.key == "integer" }?.value == .int64(42))
            let watcher = try #require(try Self.watchers(of: fixture).first)
            try FileManager.default.removeItem(atPath: fixture.tree.path(Self.place))
            try await waitUntil("no process is left") { try Self.children(of: fixture).isEmpty }
            #expect(!ProcessFacts(identifier: watcher).isRunning)
            try fixture.stop()
        }

        @Test("leave no process behind when the service ends or is killed", arguments: [false, true])
        func orphans(isKilled: Bool) async throws {
            let (fixture, _) = try await Self.start(Self.manifest(Self.preference("integer", "1")))
            try await waitUntil("the schema is watched") { try Self.watchers(of: fixture).count == 1 }
            let watcher = try #require(try Self.watchers(of: fixture).first)
            if isKilled {
                fixture.service.process.send(SIGKILL)
                try fixture.service.process.waitForEnd()
            } else {
                try fixture.stop()
            }
            try await waitUntil("its process is gone") { !ProcessFacts(identifier: watcher).isRunning }
        }

        @Test(
            "that cannot be had are unavailable with the reason, and hurt nothing else",
            arguments: [
                (
                    preference("integer", "1", schema: "com.example.None"), "org.sentinel.Error.Unavailable",
                    "com.example.None"
                ),
                (preference("none", "1"), "org.sentinel.Error.Unavailable", "none"),
                (preference("text", "1"), "org.sentinel.Error.Unavailable", "not an integer"),
                (preference("list", #""""#), .notSupported, "array"),
                (
                    preference("text", #""""#, schema: "\(SettingsSchema.id):/elsewhere/"),
                    "org.sentinel.Error.Unavailable", "not relocatable"
                ),
            ] as [(String, ErrorName, String)])
        func refused(preference: String, code: ErrorName, word: String) async throws {
            let (fixture, preferences) = try await Self.start(Self.manifest(preference))
            let key = try #require(try await preferences.list().last?.key)
            await expectError(code, mentioning: word) {
                _ = try await preferences.get(key: key)
            }
            try await Self.waitForFinding(key, word, in: fixture)
            #expect(try await preferences.set(key: "plain", value: .int64(2)) == .int64(2))
            try fixture.stop()
        }

        @Test("refuse what the schema does not allow, and what would be seen by others")
        func writing() async throws {
            let (fixture, preferences) = try await Self.start(
                Self.manifest(
                    Self.preference("unsigned", "1"), Self.preference("mode", #""light""#),
                    Self.preference("text", #""""#, #""sensitive": true"#)))
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "range") {
                _ = try await preferences.set(key: "unsigned", value: .int64(11))
            }
            await expectError("org.sentinel.Error.InvalidValue", mentioning: "mode") {
                _ = try await preferences.set(key: "mode", value: .string("other"))
            }
            await expectError(.notSupported, mentioning: "sensitive") {
                _ = try await preferences.set(key: "text", value: .string("hunter2"))
            }
            #expect(try await preferences.get(key: "text") == .string("it's"))
            #expect(try await preferences.get(key: "unsigned") == .int64(5))
            try fixture.stop()
        }

        @Test("are there once their schema is installed")
        func later() async throws {
            let (fixture, preferences) = try await Self.start(
                Self.manifest(Self.preference("integer", "1")), installing: false)
            try await Self.waitForFinding("integer", "schema", in: fixture)
            try await SettingsSchema.install(in: fixture.tree)
            try await waitUntil("nothing is found any more") { try await Self.findings(fixture) == [] }
            #expect(try await preferences.list().last?.value == .int64(5))
            try fixture.stop()
        }

        @Test("say that the program is missing")
        func missing() async throws {
            let (fixture, preferences) = try await Self.start(
                Self.manifest(Self.preference("integer", "1")), environment: ["PATH": "/nonexistent"])
            await expectError("org.sentinel.Error.Unavailable", mentioning: "libglib2.0-bin") {
                _ = try await preferences.get(key: "integer")
            }
            try await Self.waitForFinding("integer", "libglib2.0-bin", in: fixture)
            try fixture.stop()
        }

        @Test(
            "say what is wrong with a program that hangs, lies or dies",
            arguments: [
                ("exec sleep 600", "longer than 5 s"), ("exec >&- 2>&-; exec sleep 600", "longer than 5 s"),
                ("sleep 600", "longer than 5 s"), ("exec yes", "said too much"), ("exec yes >&2", "longer than 5 s"),
                ("kill -9 $$", "without a reason"), ("echo gone >&2; exit 3", "gone"),
                ("echo nonsense", "another type"),
                ("true", "no value"), ("printf '\\377'", "another type"), ("echo \"'text'\"", "not an integer"),
            ])
        func faulty(program: String, word: String) async throws {
            let (fixture, preferences) = try await Self.start(
                Self.manifest(Self.preference("integer", "1"), Self.preference("long", "1")), program: program)
            let error = await #expect(throws: DBusError.self) { _ = try await preferences.get(key: "integer") }
            #expect(error?.message.contains(word) == true, "\(String(describing: error))")
            try await Self.waitForFinding("integer", word, in: fixture)
            #expect(try await preferences.set(key: "plain", value: .int64(2)) == .int64(2))
            try await waitUntil("no process is left") { try Self.children(of: fixture).isEmpty }
            try fixture.stop()
        }

        @Test(
            "say that changes are not noticed where the program does not go on",
            arguments: ["exit 1", "exec >&-; sleep 9"])
        func dying(end: String) async throws {
            let (fixture, preferences) = try await Self.start(
                Self.manifest(Self.preference("integer", "1")),
                program: "[ \"$1\" = monitor ] || { echo 7; exit; }; \(end)")
            #expect(try await preferences.get(key: "integer") == .int64(7))
            try await Self.waitForFinding("not noticed", in: fixture)
            #expect(try await preferences.get(key: "integer") == .int64(7))
            // It says that it has written, and has not.
            await expectError("org.sentinel.Error.Unavailable", mentioning: "not kept") {
                _ = try await preferences.set(key: "integer", value: .int64(8))
            }
            try fixture.stop()
        }
    }
}
