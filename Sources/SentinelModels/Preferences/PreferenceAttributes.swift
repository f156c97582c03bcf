// SPDX-License-Identifier: MIT

/// What a declaration of a preference says beyond its key, name and default.
public struct PreferenceAttributes: Sendable {
    /// What a preference can be marked as.
    public struct Marks: OptionSet, Hashable, Sendable {
        /// The marks as bits.
        public let rawValue: Int

        /// The marks of these bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Its values are kept out of signals, history and export.
        public static let sensitive = Marks(rawValue: 1 << 0)
        /// Its values are kept out of signals.
        public static let isPrivate = Marks(rawValue: 1 << 1)
        /// Its value is read from and written to the application.
        public static let live = Marks(rawValue: 1 << 2)
        /// Clients cannot write it.
        public static let readOnly = Marks(rawValue: 1 << 3)
        /// A change has effect only after the application's restart.
        public static let needsRestart = Marks(rawValue: 1 << 4)

        /// Each mark with its name, as it is declared and listed.
        public static let names: [(mark: Marks, name: String)] = [
            (.sensitive, "sensitive"), (.isPrivate, "private"), (.live, "live"), (.readOnly, "read_only"),
            (.needsRestart, "needs_restart"),
        ]
    }

    /// Title of the section in which it is shown.
    public var section: String?
    /// Explanation for people.
    public var description: String?
    /// Smallest number; nil is no bound.
    public var minimum: PreferenceValue?
    /// Largest number; nil is no bound.
    public var maximum: PreferenceValue?
    /// Smallest length of a text in Unicode code points; nil is no bound.
    public var minimumLength: UInt32?
    /// Largest length of a text in Unicode code points; nil is no bound.
    public var maximumLength: UInt32?
    /// POSIX extended regular expression that a whole text matches.
    public var pattern: String?
    /// The values that it can have; nil for others than these.
    public var choices: [PreferenceChoice]?
    /// What it is marked as.
    public var marks: Marks = []

    /// No attributes.
    public init() {}
}
