// SPDX-License-Identifier: MIT

import Foundation

/// The command `InterfaceGenerator INPUT_DIRECTORY OUTPUT_DIRECTORY`.
@main
struct InterfaceGenerator {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the command and gives its exit status: 1 if the input is wrong, 2 if the command is.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 2 else {
            report("usage: InterfaceGenerator INPUT_DIRECTORY OUTPUT_DIRECTORY")
            return 2
        }
        do {
            let problems = try Generator(
                input: URL(filePath: arguments[0], directoryHint: .isDirectory),
                output: URL(filePath: arguments[1], directoryHint: .isDirectory)
            ).run()
            for problem in problems {
                report(problem.description)
            }
            return problems.isEmpty ? 0 : 1
        } catch {
            report("error: cannot list \(arguments[0]): \(error.localizedDescription)")
            return 1
        }
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
