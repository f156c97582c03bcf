// SPDX-License-Identifier: MIT

/// What is wrong with a line of a key file.
public struct KeyFileProblem: Hashable, Sendable, CustomStringConvertible {
    /// The sort of fault.
    public enum Reason: String, Error, Hashable, Sendable {
        /// The line's bytes are not UTF-8; it is skipped.
        case notUTF8 = "the line is not UTF-8"
        /// The line holds a control character other than a tab; it is skipped.
        case control = "the line holds a control character"
        /// The line is neither group, key, comment nor empty; it is skipped.
        case noKey = "the line is no group header, and has no '='"
        /// A group header that is not closed, or whose name is not ASCII or has brackets; it is skipped.
        case badGroup = "the group header is not valid"
        /// A key that is empty, not ASCII, or has brackets; it is skipped.
        case badKey = "the key is not valid"
        /// A locale that is no name of one; the line is skipped.
        case badLocale = "the locale of the key is not valid"
        /// A key before the first group; it is skipped.
        case noGroup = "the key stands before the first group"
        /// A group that was there before; both are one.
        case repeatedGroup = "the group comes a second time"
        /// A key that was there before; this one counts.
        case repeatedKey = "the key comes a second time"
    }

    /// Line, from 1.
    public let line: Int

    /// Sort of fault.
    public let reason: Reason

    /// Line and fault for a reader.
    public var description: String {
        "line \(line): \(reason.rawValue)"
    }
}
