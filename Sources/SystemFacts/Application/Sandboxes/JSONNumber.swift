// SPDX-License-Identifier: MIT

/// Finds one whole number in a flat JSON object, which is all that bubblewrap writes (bwrap(1), `--info-fd`).
enum JSONNumber {
    private static let maximumDepth = 8

    /// The value of a member of the outermost object, where that is a whole number; nil where the text is not JSON, or the
    /// member comes twice.
    static func member(_ name: String, of bytes: [UInt8]) -> Int64? {
        var cursor = ByteCursor(bytes)
        cursor.skipWhitespace()
        var number: Int64?
        var count = 0
        let isRead = readObject(&cursor, 0) { key, value in
            guard key.elementsEqual(name.utf8) else { return }
            count += 1
            number = Int64(String(decoding: value, as: UTF8.self))
        }
        cursor.skipWhitespace()
        return isRead && cursor.isAtEnd && count == 1 ? number : nil
    }

    /// Reads an object; the closure gets each key, as it is written, with what is written of a number.
    private static func readObject(
        _ cursor: inout ByteCursor, _ depth: Int, _ member: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Void
    ) -> Bool {
        guard cursor.take(UInt8(ascii: "{")), depth < maximumDepth else { return false }
        cursor.skipWhitespace()
        guard !cursor.take(UInt8(ascii: "}")) else { return true }
        repeat {
            cursor.skipWhitespace()
            guard let key = readString(&cursor) else { return false }
            cursor.skipWhitespace()
            guard cursor.take(UInt8(ascii: ":")) else { return false }
            cursor.skipWhitespace()
            guard let value = readValue(&cursor, depth) else { return false }
            member(key, value)
            cursor.skipWhitespace()
        } while cursor.take(UInt8(ascii: ","))
        return cursor.take(UInt8(ascii: "}"))
    }

    private static func readArray(_ cursor: inout ByteCursor, _ depth: Int) -> Bool {
        guard cursor.take(UInt8(ascii: "[")), depth < maximumDepth else { return false }
        cursor.skipWhitespace()
        guard !cursor.take(UInt8(ascii: "]")) else { return true }
        repeat {
            cursor.skipWhitespace()
            guard readValue(&cursor, depth) != nil else { return false }
            cursor.skipWhitespace()
        } while cursor.take(UInt8(ascii: ","))
        return cursor.take(UInt8(ascii: "]"))
    }

    /// Reads a value: a number or word as it is written, nothing for all else; nil where there is none.
    private static func readValue(_ cursor: inout ByteCursor, _ depth: Int) -> ArraySlice<UInt8>? {
        switch cursor.next {
        case UInt8(ascii: "{"):
            return readObject(&cursor, depth + 1) { _, _ in } ? [] : nil
        case UInt8(ascii: "["):
            return readArray(&cursor, depth + 1) ? [] : nil
        case UInt8(ascii: "\""):
            return readString(&cursor) == nil ? nil : []
        default:
            let word = cursor.take { $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) }
            return word.isEmpty ? nil : word
        }
    }

    private static func readString(_ cursor: inout ByteCursor) -> ArraySlice<UInt8>? {
        guard cursor.take(UInt8(ascii: "\"")) else { return nil }
        var bytes: ArraySlice<UInt8> = []
        while true {
            bytes += cursor.take { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            guard let end = cursor.take() else { return nil }
            guard end == UInt8(ascii: "\\") else { return bytes }
            guard let escaped = cursor.take() else { return nil }
            bytes += [end, escaped]
        }
    }
}
