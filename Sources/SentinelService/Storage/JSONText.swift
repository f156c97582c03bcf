// SPDX-License-Identifier: MIT

import SentinelModels

/// A JSON document whose text is kept but for one value.
struct JSONText {
    private let bytes: [UInt8]

    /// Takes in a document; no text at all is an empty object.
    ///
    /// - Throws: `unavailable` where it is no JSON object.
    init(_ bytes: [UInt8]) throws(SentinelError) {
        let isEmpty = bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        self.bytes = isEmpty ? Array("{}\n".utf8) : bytes
        let document: JSONValue
        do throws(JSONSyntaxError) {
            // A value that cannot be read is nobody's matter but his who asks for it.
            document = try JSONValue(parsing: self.bytes, isLenient: true)
        } catch {
            throw SentinelError(.unavailable, "the file is no JSON: \(error)")
        }
        guard case .object = document else { throw SentinelError(.unavailable, "the file holds no JSON object") }
    }

    /// The place of the value of a key; nil where there is none.
    func span(of key: String) -> Range<Int>? {
        var scanner = JSONScanner(bytes)
        for part in Self.parts(of: key) {
            guard scanner.enter(part) else { return nil }
        }
        return scanner.valueSpan()
    }

    /// The value at a place; nil where it is an array, an object, null or what no value stands for.
    func scalar(at span: Range<Int>) -> PreferenceValue? {
        do throws(JSONSyntaxError) {
            return PreferenceValue(json: try JSONValue(parsing: bytes[span]))
        } catch {
            return nil
        }
    }

    /// The document with another value of a key.
    ///
    /// - Throws: `unavailable` where a part of the key leads to something that is no object, `invalidValue` where the
    ///   value there is an object or an array.
    func replacing(_ key: String, with value: String) throws(SentinelError) -> [UInt8] {
        var scanner = JSONScanner(bytes)
        let parts = Self.parts(of: key)
        for (index, part) in parts.enumerated() {
            if scanner.enter(part) { continue }
            // What is missing of the key is made around the value.
            guard let place = scanner.objectStart() else {
                throw SentinelError(.unavailable, "a part of the key \(key) leads to what is no object in the file")
            }
            var text = value
            for part in parts[index...].dropFirst().reversed() {
                text = "{\(JSONValue.string(part).serialized()): \(text)}"
            }
            let member = "\(JSONValue.string(part).serialized()): \(text)"
            return inserting(member, at: place)
        }
        guard let span = scanner.valueSpan() else { throw SentinelError(.unavailable, "the file has no such place") }
        guard !scanner.isAtContainer else {
            throw SentinelError(
                .invalidValue, "what the file has as \(key) is an object or an array, which no value takes the place of"
            )
        }
        return Array(bytes[..<span.lowerBound]) + Array(value.utf8) + Array(bytes[span.upperBound...])
    }

    /// Puts a member before the first of an object, on a line of its own where that stands on one.
    private func inserting(_ member: String, at place: JSONScanner.ObjectStart) -> [UInt8] {
        let gap = place.isEmpty ? [] : Array(bytes[place.afterBrace..<place.firstToken])
        let end = place.isEmpty ? [] : Array(",".utf8) + (gap.isEmpty ? [0x20] : gap)
        let start = gap
        return Array(bytes[..<place.afterBrace]) + start + Array(member.utf8) + end
            + Array(bytes[(place.isEmpty ? place.afterBrace : place.firstToken)...])
    }

    private static func parts(of key: String) -> [String] {
        key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}

/// Walks through a JSON text that is known to be right.
struct JSONScanner {
    /// The beginning of an object.
    struct ObjectStart {
        let afterBrace: Int
        /// Where the first member, or the end of the object, begins.
        let firstToken: Int
        let isEmpty: Bool
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            position = 3
        }
        skipSpace()
    }

    /// Goes to the value of a member of the object at this place, the last of several as most programs do; stays where
    /// there is none.
    mutating func enter(_ key: String) -> Bool {
        let start = position
        var found: Int?
        guard current == UInt8(ascii: "{") else { return false }
        position += 1
        skipSpace()
        while let byte = current, byte != UInt8(ascii: "}") {
            let name = position
            skipValue()
            let span = name..<position
            skipSpace()
            position += 1
            skipSpace()
            if isKey(span, key) { found = position }
            skipValue()
            skipSpace()
            if current == UInt8(ascii: ",") {
                position += 1
                skipSpace()
            }
        }
        position = found ?? start
        return found != nil
    }

    /// The place of the value here.
    func valueSpan() -> Range<Int>? {
        var copy = self
        copy.skipValue()
        return copy.position > position ? position..<copy.position : nil
    }

    /// The beginning of the object here; nil where there is another value.
    func objectStart() -> ObjectStart? {
        guard current == UInt8(ascii: "{") else { return nil }
        var copy = self
        copy.position += 1
        let afterBrace = copy.position
        copy.skipSpace()
        return ObjectStart(
            afterBrace: afterBrace, firstToken: copy.position, isEmpty: copy.current == UInt8(ascii: "}"))
    }

    /// Whether the value here is an object or an array.
    var isAtContainer: Bool { current == UInt8(ascii: "{") || current == UInt8(ascii: "[") }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func isKey(_ span: Range<Int>, _ key: String) -> Bool {
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: bytes[span]) == .string(key)
        } catch {
            // Half of a surrogate pair is in no key that is asked for.
            return false
        }
    }

    private mutating func skipSpace() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            position += 1
        }
    }

    private mutating func skipValue() {
        switch current {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var depth = 0
            while let byte = current {
                switch byte {
                case UInt8(ascii: "\""):
                    skipString()
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                position += 1
                if depth == 0 { return }
            }
        default:
            while let byte = current, ![0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x7D, 0x5D].contains(byte) {
                position += 1
            }
        }
    }

    private mutating func skipString() {
        position += 1
        while let byte = current, byte != UInt8(ascii: "\"") {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, bytes.count)
    }
}
