// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension Value {
    /// The value of a preference that goes out: `b`, `x`, `d` or `s`.
    init(_ value: PreferenceValue) {
        self =
            switch value {
            case .boolean(let truth): .boolean(truth)
            case .integer(let number): .int64(number)
            case .double(let number): .double(number)
            case .text(let text): .string(text)
            }
    }

    /// The value of a preference that has come, of any width and within any layers of variant; nil if it is nothing that a
    /// preference can hold, such as an integer past the range of `x`.
    var preference: PreferenceValue? {
        switch unwrapped {
        case .boolean(let value): .boolean(value)
        case .byte(let value): .integer(Int64(value))
        case .int16(let value): .integer(Int64(value))
        case .uint16(let value): .integer(Int64(value))
        case .int32(let value): .integer(Int64(value))
        case .uint32(let value): .integer(Int64(value))
        case .int64(let value): .integer(value)
        case .uint64(let value): Int64(exactly: value).map(PreferenceValue.integer)
        case .double(let value): value.isFinite ? .double(value) : nil
        case .string(let value): .text(value)
        default: nil
        }
    }
}

extension [Key: Value] {
    /// Values of preferences by key, as they came.
    ///
    /// - Throws: code `invalidArgs` for a key that can be none.
    func preferences() throws(SentinelError) -> [Name: PreferenceValue?] {
        var preferences: [Name: PreferenceValue?] = [:]
        for (key, value) in self {
            preferences[try Name(key.text, as: "key")] = .some(value.preference)
        }
        return preferences
    }

    /// Adds a value if there is one.
    mutating func add(_ key: Key, _ value: PreferenceValue?) {
        self[key] = value.map(Value.init)
    }
}
