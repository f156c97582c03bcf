// SPDX-License-Identifier: MIT

/// Why nothing could be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    /// The kinds of failure.
    enum Code: Equatable {
        /// The arguments make no sense.
        case usage
        /// A program that is needed is missing or did not start.
        case unavailable
        /// A server or the bus failed while it was measured.
        case failed
        /// The kernel did not tell what was asked.
        case system
    }

    /// The kind of failure.
    let code: Code

    /// What was wrong and what to do.
    let message: String

    /// The last lines that the failing process wrote, empty if it wrote none.
    var output = ""

    /// The message, then what the process wrote.
    var description: String {
        output.isEmpty ? message : message + "\n" + output
    }
}
