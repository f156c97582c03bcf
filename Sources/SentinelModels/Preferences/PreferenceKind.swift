// SPDX-License-Identifier: MIT

/// What a preference holds, and how a client lets people change it.
public enum PreferenceKind: String, CaseIterable, Sendable {
    /// True or false.
    case toggle
    /// A whole number.
    case integer
    /// A number with a fraction.
    case double
    /// Text.
    case text
    /// One of several values.
    case choice

    /// The kind of a preference without choices that has such a default.
    init(of value: PreferenceValue) {
        self =
            switch value {
            case .boolean: .toggle
            case .integer: .integer
            case .double: .double
            case .text: .text
            }
    }

    /// Whether it has a smallest and a largest value.
    var isNumber: Bool { self == .integer || self == .double }
}
