// SPDX-License-Identifier: MIT

import Dispatch

/// Runs programs to their end.
public enum Command {
    /// What a program has left.
    public struct Result: Sendable {
        /// The exit status; 128 and the signal's number if it was killed, as in a shell.
        public let status: Int32
        /// What it wrote to its standard output.
        public let output: String
        /// What it wrote to its standard error.
        public let errors: String
    }

    /// Runs a program and waits for its end without blocking the caller's thread.
    ///
    /// - Parameters:
    ///   - arguments: the program, looked up in `PATH`, and its arguments.
    ///   - environment: variables to set beside those of this process.
    ///   - timeout: the time after which it is killed.
    /// - Throws: ``TestSupportError`` if it cannot be started or has not ended in time.
    public static func run(
        _ arguments: [String], environment: [String: String] = [:], removing: Set<String> = [],
        directory: String? = nil, timeout: Duration = patience
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Swift.Result {
                        let process = try ChildProcess(
                            arguments, environment: environment, removing: removing, directory: directory)
                        let ending: ChildProcess.Ending
                        do {
                            ending = try process.waitForEnd(within: timeout)
                        } catch {
                            throw TestSupportError(
                                "\(arguments.joined(separator: " ")): \(error); it wrote: \(process.output) "
                                    + process.errors)
                        }
                        let status =
                            switch ending {
                            case .exited(let status): status
                            case .killed(let signal): 128 + signal
                            }
                        return Result(status: status, output: process.output, errors: process.errors)
                    })
            }
        }
    }
}
