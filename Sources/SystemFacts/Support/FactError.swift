// SPDX-License-Identifier: MIT

/// Why a fact of the system cannot be had.
public struct FactError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of reason. More may come in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for people.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The process has ended, or there is none of that number.
        public static let processGone = Code("process gone")
        /// This process may not read it.
        public static let denied = Code("denied")
        /// This machine, its kernel, this process or this application has no such thing.
        public static let absent = Code("absent")
        /// It is there but is not what its documentation says.
        public static let malformed = Code("malformed")
        /// It is longer than what is read of its sort.
        public static let tooLarge = Code("too large")
        /// The user has hidden it (`Hidden=true` of the Desktop Entry Specification).
        public static let hidden = Code("hidden")
        /// Several things fit equally.
        public static let ambiguous = Code("ambiguous")
        /// What names it may not be followed.
        public static let refused = Code("refused")
        /// It cannot be read for another reason, such as too many open files, or since it is no regular file.
        public static let failed = Code("failed")
    }

    /// Kind of reason. Compare this one.
    public let code: Code

    /// What was wrong. Begins lower-case; holds nothing of what was read.
    public let message: String

    /// Absolute path of the file that is meant; nil where no single one is, or the message names it.
    public let path: String?

    /// A reason of a kind, with a message for its reader.
    public init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// Message and path in one line.
    public var description: String {
        path.map { "\(message): \($0)" } ?? message
    }
}
