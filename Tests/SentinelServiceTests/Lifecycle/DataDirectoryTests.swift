// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

@testable import SentinelService

@Suite("The data directory's place")
struct DataDirectoryTests {
    private func standard(_ environment: [String: String]) throws -> String {
        try DataDirectory.standard { environment[$0] }
    }

    @Test("it is in XDG_DATA_HOME if that is an absolute path")
    func dataHome() throws {
        #expect(try standard(["XDG_DATA_HOME": "/data", "HOME": "/home/me"]) == "/data/sentinel")
    }

    @Test("it is in the home directory otherwise", arguments: [nil, "", "relative", "./here", "~"])
    func home(dataHome: String?) throws {
        var environment = ["HOME": "/home/me"]
        environment["XDG_DATA_HOME"] = dataHome
        #expect(try standard(environment) == "/home/me/.local/share/sentinel")
    }

    @Test("a HOME that is no absolute path gives way to what the system knows", arguments: [nil, "", "relative"])
    func homeOfSystem(home: String?) throws {
        let entry = try #require(getpwuid(getuid()))
        let known = try #require(entry.pointee.pw_dir.map { String(cString: $0) })
        var environment: [String: String] = [:]
        environment["HOME"] = home
        #expect(try standard(environment) == "\(known)/.local/share/sentinel")
    }
}

extension LiveTests {
    @Suite("Data directory", .serialized, .timeLimit(.minutes(5)))
    struct LiveDataDirectoryTests {
        private func mode(of path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require(attributes[.posixPermissions] as? Int)
        }

        @Test("the directory and its files are their user's alone, whatever the umask is")
        func modes() async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            let service = try ChildProcess(
                ["sh", "-c", "umask 0; exec \"$0\"", BuiltProducts.path(of: "sentineld")],
                environment: bus.environment.merging(["XDG_DATA_HOME": directory.path(of: "a/b")]) { $1 })
            let client = try TestClient(on: bus)
            try await waitUntil("the service answers") { (try? await client.sentinel.health()) == "ok" }
            try await client.register("com.example.App")
            let data = directory.path(of: "a/b/sentinel")
            for path in [directory.path(of: "a"), directory.path(of: "a/b"), data] {
                #expect(try mode(of: path) == 0o700)
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: data)
            #expect(files.contains("sentinel.db"))
            for file in files {
                #expect(try mode(of: "\(data)/\(file)") == 0o600, "\(file)")
            }
            service.send(SIGTERM)
            #expect(try service.waitForEnd() == .exited(0))
        }

        @Test("a directory that others could enter is closed to them")
        func openDirectory() async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            let data = directory.path(of: "data")
            try FileManager.default.createDirectory(
                atPath: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            let service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            #expect(try mode(of: data) == 0o700)
            #expect(try service.stop() == .exited(0))
        }

        enum Obstacle: CaseIterable {
            case fileInItsPlace, fileAsParent, link, notWritable, garbage, directoryAsDatabase
        }

        private func place(_ obstacle: Obstacle, in directory: TemporaryDirectory) throws -> String {
            let data = directory.path(of: "data")
            let files = FileManager.default
            switch obstacle {
            case .fileInItsPlace:
                try Data("mine".utf8).write(to: URL(fileURLWithPath: data))
            case .fileAsParent:
                try Data("mine".utf8).write(to: URL(fileURLWithPath: data))
                return "\(data)/deeper"
            case .link:
                try files.createDirectory(atPath: directory.path(of: "elsewhere"), withIntermediateDirectories: false)
                try files.createSymbolicLink(atPath: data, withDestinationPath: directory.path(of: "elsewhere"))
            case .notWritable:
                // Not even root makes directories there.
                return "/proc/sentinel"
            case .garbage:
                try files.createDirectory(atPath: data, withIntermediateDirectories: false)
                try Data(repeating: 0xA5, count: 100_000).write(to: URL(fileURLWithPath: "\(data)/sentinel.db"))
            case .directoryAsDatabase:
                try files.createDirectory(atPath: "\(data)/sentinel.db", withIntermediateDirectories: true)
            }
            return data
        }

        @Test("what cannot be used is said, and the service runs all the same", arguments: Obstacle.allCases)
        func obstacle(obstacle: Obstacle) async throws {
            let directory = try TemporaryDirectory()
            let bus = try PrivateBus()
            let path = try place(obstacle, in: directory)
            let service = try await SentinelProcess.started(on: bus, dataDirectory: path)
            let client = try TestClient(on: bus)
            #expect(try await client.sentinel.health() == "degraded")
            let details = try await client.sentinel.healthDetails()
            let findings = try #require(details["storage"].map { try [String]($0) })
            #expect(!findings.isEmpty)
            #expect(findings.contains { $0.contains(obstacle == .notWritable ? "/proc/sentinel" : directory.path) })
            try await client.register("com.example.App", ["name": .string("App")])
            #expect(try await client.entry(of: "com.example.App")?.name == "App")
            #expect(try service.stop() == .exited(0))
        }

        @Test("a relative directory given as an option is one below the working directory")
        func relative() async throws {
            let directory = try TemporaryDirectory()
            let bus = try PrivateBus()
            let service = try ChildProcess(
                [BuiltProducts.path(of: "sentineld"), "--data-dir", "some/data"], environment: bus.environment,
                directory: directory.path)
            let client = try TestClient(on: bus)
            try await waitUntil("the service answers") { (try? await client.sentinel.health()) == "ok" }
            #expect(FileManager.default.fileExists(atPath: directory.path(of: "some/data/sentinel.db")))
            service.send(SIGTERM)
            #expect(try service.waitForEnd() == .exited(0))
        }

        @Test("a relative XDG_DATA_HOME is ignored")
        func relativeDataHome() async throws {
            let directory = try TemporaryDirectory()
            let bus = try PrivateBus()
            let service = try ChildProcess(
                [BuiltProducts.path(of: "sentineld")],
                environment: bus.environment.merging(
                    ["XDG_DATA_HOME": "relative", "HOME": directory.path(of: "home")]
                ) { $1 },
                directory: directory.path)
            let client = try TestClient(on: bus)
            try await waitUntil("the service answers") { (try? await client.sentinel.health()) == "ok" }
            let database = directory.path(of: "home/.local/share/sentinel/sentinel.db")
            #expect(FileManager.default.fileExists(atPath: database))
            #expect(!FileManager.default.fileExists(atPath: directory.path(of: "relative")))
            service.send(SIGTERM)
            #expect(try service.waitForEnd() == .exited(0))
        }
    }
}
