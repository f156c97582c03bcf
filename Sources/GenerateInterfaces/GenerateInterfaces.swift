// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Has `InterfaceGenerator` make Swift of `Introspection/*.xml` whenever something in that directory has changed.
@main
struct GenerateInterfaces: BuildToolPlugin {
    /// The generator's files. They do not depend on what interfaces there are: the plan of a build is not made anew
    /// for a file that comes or goes.
    private static let outputs = [
        "Structures.swift", "Interfaces.swift", "Handlers.swift", "Implementations.swift", "Proxies.swift",
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let input = context.package.directoryURL.appending(path: "Introspection", directoryHint: .isDirectory)
        let output = context.pluginWorkDirectoryURL.appending(path: "Generated", directoryHint: .isDirectory)
        return [
            .buildCommand(
                displayName: "Generating Swift of the interfaces in \(input.lastPathComponent)",
                executable: try context.tool(named: "InterfaceGenerator").url,
                arguments: [input.path(percentEncoded: false), output.path(percentEncoded: false)],
                // The directory, not the files in it: a new file is to be noticed.
                inputFiles: [input],
                outputFiles: Self.outputs.map { output.appending(path: $0) })
        ]
    }
}
