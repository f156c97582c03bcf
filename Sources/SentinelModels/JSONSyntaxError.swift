// SPDX-License-Identifier: MIT

/// Why a text is no JSON.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line on which it is found, the first being 1.
    public let line: Int
    /// What is wrong. Begins lower-case; repeats nothing of the text but a character.
    public let reason: String

    /// Line and reason.
    public var description: String { "line \(line): \(reason)" }
}
