// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

@testable import SentinelService

@Suite("The file of limits")
struct LimitsFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func read(_ text: String) throws -> LimitsFile {
        let path = directory.path(of: "limits.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return LimitsFile(path: path)
    }

    private func isStandard(_ values: ServiceLimits, but names: Set<String> = []) -> Bool {
        ServiceLimits.all.allSatisfy { names.contains($0.name) || values[keyPath: $0.place] == $0.standard }
    }

    @Test("may be missing, or empty of limits")
    func missing() throws {
        let missing = LimitsFile(path: directory.path(of: "nowhere/limits.json"))
        for file in [missing, try read("{}")] {
            #expect(file.findings == [])
            #expect(isStandard(file.values))
        }
    }

    @Test("sets each limit to the ends of its range and not past them", arguments: ServiceLimits.all.map(\.name))
    func ranges(name: String) throws {
        let limit = try #require(ServiceLimits.all.first { $0.name == name })
        #expect(limit.range.contains(limit.standard))
        for end in [limit.range.lowerBound, limit.range.upperBound] {
            let file = try read(#"{"\#(name)": \#(end)}"#)
            #expect(file.findings == [])
            #expect(file.values[keyPath: limit.place] == end)
            #expect(isStandard(file.values, but: [name]))
        }
        for number in [limit.range.lowerBound - 1, limit.range.upperBound + 1] {
            let file = try read(#"{"\#(name)": \#(number)}"#)
            #expect(file.findings.count == 1)
            #expect(file.findings.first?.contains(name) == true)
            #expect(isStandard(file.values))
        }
    }

    @Test("names each limit once")
    func names() {
        #expect(Set(ServiceLimits.all.map(\.name)).count == ServiceLimits.all.count)
        #expect(Set(ServiceLimits.all.map { $0.place as AnyKeyPath }).count == ServiceLimits.all.count)
    }

    @Test("lets providers answer with what screens and values may have")
    func answers() throws {
        let standard = ServiceLimits.standard.grantedToProviders
        #expect(standard.contentBytes == 1 << 20)
        #expect(standard.answerBytes == 128 << 10)
        let file = try read(#"{"tool_bytes": 4194304, "value_bytes": 1048576, "provider_calls": 7}"#)
        #expect(file.values.grantedToProviders.contentBytes > 4_194_304)
        #expect(file.values.grantedToProviders.answerBytes > 1_048_576)
        #expect(file.values.grantedToProviders.outstandingCalls == 7)
        let lowered = try read(#"{"tool_bytes": 4096, "value_bytes": 256}"#).values.grantedToProviders
        #expect(lowered.contentBytes == standard.contentBytes)
        #expect(lowered.answerBytes == standard.answerBytes)
    }

    @Test(
        "that is wrong sets nothing and is told of",
        arguments: [
            "", "[]", "7", "{", #"{"tools": 5"#, #"{"tools": "5"}"#, #"{"tools": 5.5}"#, #"{"tools": true}"#,
            #"{"tools": null}"#, #"{"tools": 1e3}"#, #"{"tools": 18446744073709551615}"#, #"{"tool": 5}"#,
            #"{"Tools": 5}"#,
        ])
    func wrong(text: String) throws {
        let file = try read(text)
        #expect(file.findings.count == 1, "\(file.findings)")
        #expect(isStandard(file.values))
    }

    @Test("that is wrong in part sets the rest")
    func partly() throws {
        let file = try read(#"{"tools": 0, "profiles": 3, "unheard": 1}"#)
        #expect(file.findings.count == 2)
        let limit = try #require(ServiceLimits.all.first { $0.name == "profiles" })
        #expect(file.values[keyPath: limit.place] == 3)
        #expect(isStandard(file.values, but: ["profiles"]))
    }

    @Test("is in XDG_CONFIG_HOME if that is an absolute path, else in the home directory")
    func place() {
        func place(_ environment: [String: String]) -> String? {
            DataDirectory.configuration { environment[$0] }
        }
        #expect(place(["XDG_CONFIG_HOME": "/config", "HOME": "/home/me"]) == "/config/sentinel")
        #expect(place(["XDG_CONFIG_HOME": "config", "HOME": "/home/me"]) == "/home/me/.config/sentinel")
        #expect(place(["HOME": "/home/me"]) == "/home/me/.config/sentinel")
    }
}

extension LiveTests {
    @Suite("Configured limits", .serialized, .timeLimit(.minutes(5)))
    struct ConfiguredLimitTests {
        private func start(_ limits: String) async throws -> (fixture: ServiceFixture, tree: FileTree) {
            let tree = try FileTree()
            _ = try tree.write("config/sentinel/limits.json", limits)
            return (try await ServiceFixture(environment: ["XDG_CONFIG_HOME": tree.path("config")]), tree)
        }

        @Test("are answered with LimitsExceeded where they are passed")
        func lowered() async throws {
            let (fixture, _) = try await start(
                """
                {"applications": 1, "preferences": 2, "name_bytes": 64, "value_bytes": 256, "profiles": 1,
                 "history": 2, "tools": 1, "tool_items": 2, "import_bytes": 4096}
                """)
            let client = fixture.client
            #expect(try await client.sentinel.healthDetails()["limits"] == nil)
            let path = try await client.register("com.example.App")
            await expectError(.limitsExceeded) { try await client.register("com.example.Other") }

            let preferences = client.preferences(at: path)
            try await preferences.declare(preferences: [.of("a", .int64(1)), .of("b", .string(""))])
            await expectError(.limitsExceeded) { try await preferences.declare(preferences: [.of("c", .int64(1))]) }
            try await preferences.declare(preferences: [.of("a", .int64(1), ["description": .string("again")])])
            let long = PreferenceDeclaration(
                key: "a", name: String(repeating: "n", count: 65), defaultValue: .int64(1), attributes: [:])
            await expectError(.limitsExceeded) { try await preferences.declare(preferences: [long]) }
            await expectError(.limitsExceeded) {
                _ = try await preferences.set(key: "b", value: .string(String(repeating: "v", count: 257)))
            }
            try await preferences.saveProfile(name: "one")
            await expectError(.limitsExceeded) { try await preferences.saveProfile(name: "two") }
            for number in 2...5 {
                _ = try await preferences.set(key: "a", value: .int64(Int64(number)))
            }
            #expect(try await preferences.history(key: "a", options: [:]).count == 2)

            let tools = client.tools(at: path)
            func tool(_ id: String, items: Int) -> ToolDeclaration {
                ToolDeclaration(id, (0..<items).map { .of("i\($0)", "text", .string("")) })
            }
            await expectError(.limitsExceeded) { try await tools.declare(tools: [tool("t", items: 3)]) }
            try await tools.declare(tools: [tool("t", items: 2)])
            await expectError(.limitsExceeded) { try await tools.declare(tools: [tool("u", items: 1)]) }
            try fixture.stop()
        }

        @Test(
            "on bytes of tools count the values that items are given",
            arguments: ["application_tools_bytes", "all_tools_bytes"])
        func toolValues(limit: String) async throws {
            let (fixture, _) = try await start(#"{"\#(limit)": 4096}"#)
            let client = fixture.client
            let first = client.tools(at: try await client.register("com.example.App"))
            let second =
                limit == "all_tools_bytes" ? client.tools(at: try await client.register("com.example.Other")) : first
            func tool(_ id: String, _ text: String = "") -> ToolDeclaration {
                ToolDeclaration(id, [.of("i", "text", .string(text), ["writable": .boolean(true)])])
            }
            func text(_ count: Int) -> Value { .string(String(repeating: "x", count: count)) }
            try await first.declare(tools: [tool("a")])
            try await second.declare(tools: [tool("b")])
            _ = try await first.set(tool: "a", item: "i", value: text(3000))
            await expectError(.limitsExceeded) { _ = try await second.set(tool: "b", item: "i", value: text(1000)) }
            await expectError(.limitsExceeded) { try await second.update(tool: "b", values: ["i": text(1000)]) }
            await expectError(.limitsExceeded) {
                try await second.declare(tools: [tool("c", String(repeating: "x", count: 1000))])
            }
            #expect(try await second.content(tool: "b").value("i") == .string(""))
            // What is shorter makes room.
            _ = try await first.set(tool: "a", item: "i", value: text(2000))
            _ = try await second.set(tool: "b", item: "i", value: text(1000))
            try fixture.stop()
        }

        @Test(
            "of a bad file are the standard ones, which HealthDetails and the log say",
            arguments: ["no JSON", #"{"applications": 0, "aplications": 1}"#])
        func bad(text: String) async throws {
            let (fixture, tree) = try await start(text)
            let details = try await fixture.client.sentinel.healthDetails()
            let findings = try [String](try #require(details["limits"]))
            #expect(!findings.isEmpty)
            for finding in findings {
                #expect(finding.hasPrefix(tree.path("config/sentinel/limits.json")))
                #expect(fixture.service.process.errors.contains(finding))
            }
            #expect(try await fixture.client.sentinel.health() == "ok")
            try await fixture.client.register("com.example.App")
            try await fixture.client.register("com.example.Other")
            try fixture.stop()
        }
    }
}
