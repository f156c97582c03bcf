// SPDX-License-Identifier: MIT

/// A value of a preference, with its type.
public enum PreferenceValue: Sendable {
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction; finite.
    case double(Double)
    /// Text.
    case text(String)

    /// What a value can be, for people.
    public static let expectation =
        "true or false, a whole number of 64 bits with a sign, a finite number or text"

    /// What kind of value it is, for people.
    public var typeName: String {
        switch self {
        case .boolean: "true or false"
        case .integer: "an integer"
        case .double: "a number"
        case .text: "text"
        }
    }

    /// Whether two values have the same type.
    public func hasType(of other: PreferenceValue) -> Bool {
        switch (self, other) {
        case (.boolean, .boolean), (.integer, .integer), (.double, .double), (.text, .text): true
        default: false
        }
    }

    /// The value as one of the type of another: an integer that a double holds exactly is taken for that double, nothing
    /// else is converted. Nil if it does not fit.
    public func converted(toTypeOf other: PreferenceValue) -> PreferenceValue? {
        if case .integer(let number) = self, case .double = other {
            return Double(exactly: number).map(PreferenceValue.double)
        }
        return hasType(of: other) ? self : nil
    }

    /// Whether a number is less than another of its type; false for what are no such numbers.
    func isLess(than other: PreferenceValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        default: false
        }
    }

    /// A number, or true or false, as a message shows it; text in quotation marks.
    var shown: String {
        switch self {
        case .boolean(let truth): truth ? "true" : "false"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        }
    }
}

extension PreferenceValue: Hashable {
    /// Whether two values are the same in type and contents; texts by their bytes.
    public static func == (left: PreferenceValue, right: PreferenceValue) -> Bool {
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .boolean(let truth): hasher.combine(truth)
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .text(let text): hasher.combine(DataKey(text))
        }
    }
}

extension PreferenceValue {
    /// The value as JSON, from which it comes back with its type: a double has a point or an exponent.
    public var json: JSONValue {
        switch self {
        case .boolean(let truth): .bool(truth)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        }
    }

    /// The value that JSON stands for; nil for what is no value of a preference, such as a whole number past 64 bits with
    /// a sign.
    public init?(json: JSONValue) {
        switch json {
        case .bool(let truth): self = .boolean(truth)
        case .integer(let number): self = .integer(number)
        case .double(let number) where number.isFinite: self = .double(number)
        case .string(let text): self = .text(text)
        case .null, .unsigned, .double, .array, .object: return nil
        }
    }
}
