// SPDX-License-Identifier: MIT

/// The arguments of a process (`/proc/PID/cmdline`, proc(5)).
public struct CommandLine: Hashable, Sendable {
    /// The most of it that is read, in bytes.
    static let longest = 128 << 10

    /// The arguments, the program's name first; empty for kernel threads. A process can overwrite them, mostly with one
    /// text that holds all. Bytes that are not UTF-8 are U+FFFD.
    public let arguments: [String]

    /// Whether these are all; arguments that begin or end beyond the first 128 KiB are left out.
    public let isComplete: Bool

    /// The arguments in a file, or in its beginning.
    init(_ file: ByteScanner, isComplete: Bool) {
        var scanner = file
        var arguments: [String] = []
        let endsWithNUL = file.rest.last == 0
        while let argument = scanner.next(before: 0) {
            if scanner.isAtEnd, !isComplete, !endsWithNUL { break }
            arguments.append(argument.text)
        }
        self.arguments = arguments
        self.isComplete = isComplete
    }
}
