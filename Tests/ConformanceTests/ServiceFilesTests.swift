// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

extension ConformanceTests {
    /// The files that let a session start the service.
    @Suite("Service files", .timeLimit(.minutes(5)))
    struct ServiceFilesTests {
        @Test("the file for the bus names the service, an absolute program and the unit")
        func activation() throws {
            let file = try KeyFile(try ConformanceTests.text(of: "dbus/org.sentinel.service"))
            #expect(
                file.groups == [
                    "D-BUS Service": [
                        "Name": "org.sentinel", "Exec": "/usr/bin/sentineld", "SystemdService": "sentineld.service",
                    ]
                ])
        }

        @Test("the unit belongs to the same name and program")
        func unit() throws {
            let service = try #require(
                try KeyFile(try ConformanceTests.text(of: "dbus/sentineld.service")).groups["Service"])
            #expect(service["Type"] == "dbus")
            #expect(service["BusName"] == "org.sentinel")
            #expect(service["NotifyAccess"] == "main", "else the notification socket is not passed")
            #expect(service["ExecStart"] == "/usr/bin/sentineld")
            for key in service.keys {
                #expect(
                    !["Private", "Protect", "ReadWritePaths", "BindPaths"].contains { key.hasPrefix($0) },
                    "\(key) makes a namespace, which hides other processes from the service")
            }
        }

        @Test("systemd knows every key of the unit and finds nothing wrong with their values")
        func verification() async throws {
            let directory = try TemporaryDirectory()
            let unit = directory.path(of: "sentineld.service")
            // The program is not installed here.
            try ConformanceTests.text(of: "dbus/sentineld.service")
                .replacingOccurrences(of: "/usr/bin/sentineld", with: BuiltProducts.path(of: "sentineld"))
                .write(toFile: unit, atomically: true, encoding: .utf8)
            let result = try await Self.verify(unit, in: directory)
            #expect(result.status == 0)
            #expect(result.output + result.errors == "")

            // What it would say of a mistake.
            try "[Service]\nType=dbus\nExecStart=/bin/true\nNoSuchKey=yes\n"
                .write(toFile: unit, atomically: true, encoding: .utf8)
            let mistaken = try await Self.verify(unit, in: directory)
            #expect(mistaken.errors.contains("Unknown key 'NoSuchKey'"))
        }

        @Test("the bus starts the service by its file")
        func start() async throws {
            let bus = try PrivateBus()
            let file = try ConformanceTests.text(of: "dbus/org.sentinel.service")
                .replacingOccurrences(of: "/usr/bin/sentineld", with: BuiltProducts.path(of: "sentineld"))
            try file.write(
                toFile: bus.directory.path(of: "data/dbus-1/services/org.sentinel.service"), atomically: true,
                encoding: .utf8)
            for call in [
                "org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig",
                "org.sentinel /org/sentinel org.freedesktop.DBus.Peer Ping",
            ] {
                let result = try await Command.run(
                    ["sh", "-c", "busctl --user call \(call)"], environment: bus.environment)
                #expect(result.status == 0 && result.errors == "", "\(call): \(result.errors)")
            }
        }

        private static func verify(_ unit: String, in directory: TemporaryDirectory) async throws -> Command.Result {
            try await Command.run(
                ["systemd-analyze", "verify", "--user", "--man=no", unit],
                environment: ["XDG_RUNTIME_DIR": directory.path, "HOME": directory.path, "LC_ALL": "C.UTF-8"])
        }
    }
}

/// A file of groups with keys, as desktop entries and units have it.
private struct KeyFile {
    /// The values by group and key.
    private(set) var groups: [String: [String: String]] = [:]

    /// Reads the text of a file.
    ///
    /// - Throws: ``TestSupportError`` for a line that is none of the form, and for a group or key that comes twice.
    init(_ text: String) throws {
        var group: String?
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
            if line.hasPrefix("["), line.hasSuffix("]") {
                let name = String(line.dropFirst().dropLast())
                guard groups.updateValue([:], forKey: name) == nil else {
                    throw TestSupportError("the group \(name) is there twice")
                }
                group = name
            } else if let group, let match = line.wholeMatch(of: /([A-Za-z0-9-]+)=(\S.*)/) {
                guard groups[group]?.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                    throw TestSupportError("the key \(match.1) is there twice")
                }
            } else {
                throw TestSupportError("neither a group nor a key: \(line)")
            }
        }
    }
}
