// SPDX-License-Identifier: MIT

/// A value of an item of a screen or of an action's parameter, with its type.
public enum ScalarValue: Sendable {
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction; finite.
    case double(Double)
    /// Text without NUL.
    case text(String)
}

extension ScalarValue: Hashable {
    /// Whether two values are the same in type and contents; texts by their bytes.
    public static func == (left: ScalarValue, right: ScalarValue) -> Bool {
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .boolean(let truth): hasher.combine(truth)
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .text(let text): hasher.combine(DataKey(text))
        }
    }
}

extension ScalarValue {
    /// The value as JSON, from which it comes back with its type.
    public var json: JSONValue {
        switch self {
        case .boolean(let truth): .bool(truth)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        }
    }

    /// The value that JSON stands for; nil where it stands for none: null, arrays, objects, whole numbers past 64 bits
    /// with a sign, numbers that are not finite, texts with a NUL.
    public init?(json: JSONValue) {
        switch json {
        case .bool(let truth): self = .boolean(truth)
        case .integer(let number): self = .integer(number)
        case .double(let number) where number.isFinite: self = .double(number)
        case .string(let text) where !text.utf8.contains(0): self = .text(text)
        default: return nil
        }
    }

    /// How many bytes the value takes, as limits count them.
    public var byteCount: Int {
        switch self {
        case .boolean: 1
        case .integer, .double: 8
        case .text(let text): text.utf8.count
        }
    }

    /// What its type is called in messages.
    var typeName: String {
        switch self {
        case .boolean: "true or false (b)"
        case .integer: "an integer (x)"
        case .double: "a number (d)"
        case .text: "text (s)"
        }
    }
}
