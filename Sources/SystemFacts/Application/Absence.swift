// SPDX-License-Identifier: MIT

/// Why a fact cannot be had.
public struct Absence: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sort of reason.
    public enum Kind: Hashable, Sendable {
        /// There is nothing of that name.
        case missing
        /// The user has hidden it (`Hidden=true` of the Desktop Entry Specification).
        case hidden
        /// It is there and cannot be read: no permission, or not a regular file.
        case unreadable
        /// It is longer than what is read of its sort.
        case tooLarge
        /// It is not what its name says.
        case damaged
        /// Several things fit equally.
        case ambiguous
        /// What names it may not be followed.
        case refused
    }

    /// Sort of reason. Compare this one.
    public let kind: Kind

    /// What is wrong; begins lower-case and holds nothing of what a file says.
    public let reason: String

    /// Absolute path of the file that is meant; nil where no single one is.
    public let path: String?

    /// An absence of a kind, with a reason for its reader.
    public init(_ kind: Kind, _ reason: String, path: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.path = path
    }

    /// Reason and path in one line.
    public var description: String {
        path.map { "\(reason): \($0)" } ?? reason
    }
}
