// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The build-tool plugin, in a package of its own that is built again and again.
@Suite(.timeLimit(.minutes(10)))
struct BuildNoticesTests {
    @Test("a build notices an interface that comes, changes, is wrong and goes")
    func notices() async throws {
        let package = try TemporaryPackage()
        try package.write("Sample1", method: "Ping")
        #expect(try await package.runProbe() == "Sample1: Ping")

        try package.write("Added1", method: "Pong")
        try package.probe(["Sample1", "Added1"])
        #expect(try await package.runProbe() == "Sample1: Ping\nAdded1: Pong")

        try package.write("Added1", method: "Boom")
        #expect(try await package.runProbe() == "Sample1: Ping\nAdded1: Boom")

        try package.write("Added1", method: "Boom", type: "k")
        let wrong = try await package.build()
        #expect(wrong.status != 0)
        #expect(
            wrong.output.contains("org.example.Added1.xml:15: error: value: \"k\" has \"k\" in it"), "\(wrong.output)")

        try package.remove("Added1")
        let gone = try await package.build()
        #expect(gone.status != 0)
        #expect(gone.output.contains("cannot find 'Added1' in scope"), "\(gone.output)")

        try package.probe(["Sample1"])
        try package.write("Sample1", method: "Pang")
        #expect(try await package.runProbe() == "Sample1: Pang")
    }
}

/// A package with the sources of the generator and a program that prints what has been generated.
private final class TemporaryPackage {
    private let temporary: TemporaryDirectory
    private var lastBuild: time_t = 0
    private var directory: URL { URL(filePath: temporary.path, directoryHint: .isDirectory) }

    init() throws {
        temporary = try TemporaryDirectory()
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for name in ["Introspection", "Sources/Probe"] {
            try FileManager.default.createDirectory(
                at: directory.appending(path: name), withIntermediateDirectories: true)
        }
        for name in ["CDBus", "CLinux", "Locking", "DBus", "InterfaceGenerator", "GenerateInterfaces"] {
            try FileManager.default.createSymbolicLink(
                at: directory.appending(path: "Sources/\(name)"),
                withDestinationURL: root.appending(path: "Sources/\(name)"))
        }
        // Copied, since the link in it is to lead to the interfaces of this package.
        try FileManager.default.copyItem(
            at: root.appending(path: "Sources/SentinelInterfaces"),
            to: directory.appending(path: "Sources/SentinelInterfaces"))
        try Data(Self.manifest.utf8).write(to: directory.appending(path: "Package.swift"))
        try probe(["Sample1"])
    }

    /// Writes the file of an interface with one method that takes a value of a type.
    func write(_ name: String, method: String, type: String = "s") throws {
        let xml = """
            <node>
              <!--
                  org.example.\(name):

                  A sample.
              -->
              <interface name="org.example.\(name)">
                <!--
                    \(method):
                    @value: A value.

                    Does nothing.
                -->
                <method name="\(method)">
                  <arg type="\(type)" name="value"/>
                </method>
              </interface>
            </node>
            """
        try Data(xml.utf8).write(to: file(name))
    }

    /// Takes the file of an interface away.
    func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: file(name))
    }

    /// Has the program print the methods of interfaces.
    func probe(_ names: [String]) throws {
        let lines = names.map { "print(\"\($0): \\(\($0).description.methods.map(\\.name.text).joined())\")" }
        try Data("import DBus\nimport SentinelInterfaces\n\n\(lines.joined(separator: "\n"))\n".utf8)
            .write(to: directory.appending(path: "Sources/Probe/main.swift"))
    }

    /// Builds the program, in another second than it was built before: the compiler takes a file that has changed twice
    /// within one for the same.
    func build() async throws -> (status: Int32, output: String) {
        try await waitUntil("the second of the last build is over") { time(nil) > lastBuild }
        defer { lastBuild = time(nil) }
        let result = try await Command.run(
            [
                "swift", "build", "--package-path", directory.path, "--scratch-path", scratch.path, "--product",
                "Probe",
            ], timeout: .seconds(300))
        return (result.status, result.output + result.errors)
    }

    /// Builds the program and gives what it prints.
    func runProbe() async throws -> String {
        let build = try await build()
        try #require(build.status == 0, "\(build.output)")
        return try await Command.run([scratch.appending(path: "debug/Probe").path])
            .output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private var scratch: URL { directory.appending(path: "build") }

    private func file(_ name: String) -> URL {
        directory.appending(path: "Introspection/org.example.\(name).xml")
    }

    private static let manifest = """
        // swift-tools-version: 6.2

        import PackageDescription

        let settings: [SwiftSetting] = [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]

        let package = Package(
            name: "Notices",
            targets: [
                .systemLibrary(name: "CDBus", pkgConfig: "dbus-1"),
                .systemLibrary(name: "CLinux"),
                .target(name: "Locking", swiftSettings: settings),
                .target(name: "DBus", dependencies: ["CDBus", "CLinux", "Locking"], swiftSettings: settings),
                .executableTarget(name: "InterfaceGenerator", swiftSettings: settings),
                .plugin(
                    name: "GenerateInterfaces", capability: .buildTool(), dependencies: ["InterfaceGenerator"],
                    path: "Sources/GenerateInterfaces"),
                .target(
                    name: "SentinelInterfaces", dependencies: ["DBus"], exclude: ["Introspection"],
                    swiftSettings: settings, plugins: ["GenerateInterfaces"]),
                .executableTarget(name: "Probe", dependencies: ["DBus", "SentinelInterfaces"]),
            ],
            swiftLanguageModes: [.v6]
        )
        """
}
