// SPDX-License-Identifier: MIT

/// Why a value is not one that a preference can have.
public struct PreferenceProblem: Hashable, Sendable {
    /// What about the value is wrong, the most important first.
    public enum Kind: Int, Comparable, Sendable {
        /// It has another type.
        case type
        /// It cannot be kept: text with a NUL in it or too long for any preference.
        case form
        /// It is none of the choices.
        case choice
        /// It is less than the smallest number.
        case minimum
        /// It is more than the largest number.
        case maximum
        /// The text is too short.
        case minimumLength
        /// The text is too long.
        case maximumLength
        /// The text does not match the pattern.
        case pattern

        /// Whether one is more important than another.
        public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is wrong.
    public let kind: Kind
    /// The same for people. Begins lower-case; does not repeat the value.
    public let message: String
}
