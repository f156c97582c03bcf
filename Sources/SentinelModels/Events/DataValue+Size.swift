// SPDX-License-Identifier: MIT

extension Event {
    /// About how many bytes the event takes, here and as it travels.
    public var weight: Int {
        160 + type.text.utf8.count + source.text.utf8.count + data.byteCount
    }
}

extension [DataKey: DataValue] {
    /// How many bytes the members take, keys and values, as the limit counts them.
    public var byteCount: Int {
        reduce(0) { $0 + $1.key.text.utf8.count + $1.value.byteCount }
    }
}

extension DataValue {
    /// So many bytes an element of an array counts at least: also empty ones take room, and many take much.
    public static let smallestElement = 4

    /// How many bytes the value takes, as the limit counts them: texts, bytes and keys as long as they are, numbers
    /// with eight, a truth value with one, an array or dictionary with four beside what it holds, each element of an
    /// array with four at least.
    public var byteCount: Int {
        switch self {
        case .boolean: 1
        case .integer, .double: 8
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .array(let values): values.reduce(4) { $0 + max($1.byteCount, Self.smallestElement) }
        case .dictionary(let members): 4 + members.byteCount
        }
    }
}
