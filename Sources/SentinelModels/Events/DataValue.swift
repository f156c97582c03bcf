// SPDX-License-Identifier: MIT

/// A value in the data of an event, with the type in which it was given.
public enum DataValue: Sendable {
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction; finite.
    case double(Double)
    /// Text.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
    /// Values in order.
    case array([DataValue])
    /// Values by their keys.
    case dictionary([DataKey: DataValue])
}

extension DataValue: Hashable {
    /// Whether two values are the same in type and contents; texts by their bytes.
    public static func == (left: DataValue, right: DataValue) -> Bool {
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .boolean(let truth): hasher.combine(truth)
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .text(let text): hasher.combine(DataKey(text))
        case .bytes(let bytes): hasher.combine(bytes)
        case .array(let values): hasher.combine(values)
        case .dictionary(let members): hasher.combine(members)
        }
    }
}
