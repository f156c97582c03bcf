// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Has `InterfaceGenerator` make Swift of `Introspection/*.xml` whenever something in that directory has changed.
///
/// A file that is written in place changes nothing but itself, so the files are inputs. Which ones there are is asked
/// when the build is planned. SwiftPM plans anew when the tree of a target changes: the link `Introspection` in that of
/// `SentinelInterfaces` makes the files a part of it. Without it a file that comes or goes would be missed, or missing.
@main
struct GenerateInterfaces: BuildToolPlugin {
    /// The generator's files, whatever interfaces there are.
    private static let outputs = [
        "Structures.swift", "Interfaces.swift", "Handlers.swift", "Implementations.swift", "Proxies.swift",
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let input = context.package.directoryURL.appending(path: "Introspection", directoryHint: .isDirectory)
        let files = try FileManager.default.contentsOfDirectory(at: input, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "xml" }
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "Generated", directoryHint: .isDirectory)
        return [
            .buildCommand(
                displayName: "Generating Swift of the interfaces in \(input.lastPathComponent)",
                executable: try context.tool(named: "InterfaceGenerator").url,
                arguments: [input.path(percentEncoded: false), output.path(percentEncoded: false)],
                inputFiles: [input] + files,
                outputFiles: Self.outputs.map { output.appending(path: $0) })
        ]
    }
}
