// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// Reads the data of an event out of what has come over the bus.
///
/// Kept are truth values, integers of any width that fit into 64 bits with a sign, finite doubles, texts, bytes, arrays
/// and dictionaries from text, whatever variants are around them.
struct DataReader {
    private var byteCount = 0

    /// Reads data.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` that names the place and what is allowed.
    static func read(_ options: [Key: Value]) throws(DBusError) -> [DataKey: DataValue] {
        var reader = DataReader()
        var members: [DataKey: DataValue] = [:]
        for (key, value) in options {
            do throws(DBusError) {
                members[DataKey(key.text)] = try reader.member(key.text, value, depth: 0)
            } catch {
                throw DBusError(error.code, "data \(key): \(error.message)", underlying: error)
            }
        }
        return members
    }

    private mutating func member(_ key: String, _ value: Value, depth: Int) throws(DBusError) -> DataValue {
        try take(key.utf8.count)
        return try read(value, depth: depth)
    }

    private mutating func read(_ value: Value, depth: Int) throws(DBusError) -> DataValue {
        let value = value.unwrapped
        switch value {
        case .boolean(let truth):
            try take(1)
            return .boolean(truth)
        case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64:
            try take(8)
            return .integer(try value.integer())
        case .double:
            try take(8)
            return .double(try value.finiteDouble())
        case .string(let text):
            try take(text.utf8.count)
            return .text(text)
        case .array(let array):
            if let bytes = array.bytes {
                try take(bytes.count)
                return .bytes(bytes)
            }
            try enter(depth)
            var values: [DataValue] = []
            for element in array.elements {
                let before = byteCount
                values.append(try read(element, depth: depth + 1))
                try take(max(DataValue.smallestElement - (byteCount - before), 0))
            }
            return .array(values)
        case .dictionary(let dictionary):
            try enter(depth)
            return .dictionary(try members(of: dictionary, depth: depth))
        case .objectPath, .signature, .fileDescriptor, .structure, .variant:
            throw DBusError(
                .invalidArgs,
                "expected b, an integer, d, s, ay, or arrays or string-keyed dictionaries of them, got a value of type "
                    + "\(value.type)")
        }
    }

    private mutating func members(
        of dictionary: DictionaryValue, depth: Int
    ) throws(DBusError) -> [DataKey: DataValue] {
        guard dictionary.keyType == "s" else {
            throw DBusError(.invalidArgs, "expected a dictionary with keys of type s, got \(dictionary.type)")
        }
        var members: [DataKey: DataValue] = [:]
        for entry in dictionary.entries {
            let key = try entry.key.text()
            guard members.updateValue(try member(key, entry.value, depth: depth + 1), forKey: DataKey(key)) == nil
            else { throw DBusError(.invalidArgs, "a dictionary has the same key twice") }
        }
        return members
    }

    private mutating func enter(_ depth: Int) throws(DBusError) {
        guard depth < DataLimits.depth else { throw DBusError(reporting: DataLimits.tooDeep) }
        try take(4)
    }

    private mutating func take(_ count: Int) throws(DBusError) {
        byteCount += count
        guard byteCount <= DataLimits.byteCount else { throw DBusError(reporting: DataLimits.tooLong) }
    }
}
