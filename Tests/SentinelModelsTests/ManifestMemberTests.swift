// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@Suite("Members of a manifest")
struct ManifestMemberTests {
    private static func read(_ rest: String) throws -> Manifest {
        let text = #"{"application": {"id": "com.example.App"}, \#(rest)}"#
        return try Manifest(parsing: Array(text.utf8), of: try ApplicationID("com.example.App"))
    }

    @Test("of choices that mean nothing are told")
    func choices() throws {
        let choices = #"[{"value": 1, "title": "One"}, {"value": 2, "name": "Two"}]"#
        let manifest = try Self.read(
            #"""
            "preferences": [{"key": "a", "default": 1, "choices": \#(choices)}],
            "tools": [{"id": "t", "name": "T", "kind": "table", "sections": [{"id": "s", "title": "S", "items": [
              {"id": "i", "kind": "choice", "title": "I", "value": 1, "choices": \#(choices)}]}]}]
            """#)
        #expect(
            manifest.unknownMembers == [
                "preferences[0].choices[1].name", "tools[0].sections[0].items[0].choices[1].name",
            ])
    }

    private static func storage(_ format: String, _ key: String) -> String {
        #"""
        "preferences": [{"key": "a", "default": 1,
          "storage": {"file": {"path": "/x", "format": "\#(format)", "key": "\#(key)"}}}]
        """#
    }

    @Test(
        "that name keys which a file cannot have are refused",
        arguments: [
            ("ini", "a=b"), ("ini", "s/a=b"), ("ini", "#a"), ("ini", "s/;a"), ("ini", "[a"), ("ini", ""), ("ini", "s/"),
            ("ini", " a"), ("ini", "s]/a"), ("env", "a-b"), ("env", "1a"), ("env", ""), ("env", "s/a"),
            ("env", "\u{e9}"),
        ])
    func refusedKeys(format: String, key: String) {
        let problem = #expect(throws: ManifestProblem.self) { try Self.read(Self.storage(format, key)) }
        #expect(problem?.place == "preferences[0].storage.file.key")
    }

    @Test(
        "that name keys which a file can have are taken",
        arguments: [
            ("ini", "a"), ("ini", "a b"), ("ini", "x/y/a"), ("ini", "a#"), ("env", "A_1"), ("env", "_a"),
            ("json", "a=b"),
            ("json", "#/1"),
        ])
    func takenKeys(format: String, key: String) throws {
        let manifest = try Self.read(Self.storage(format, key))
        #expect(manifest.preferences.count == 1)
    }
}
