// SPDX-License-Identifier: MIT

/// Patterns of LIKE and GLOB. SQLite's own matching takes time that grows with each wildcard as a power; this one goes back
/// to the last wildcard alone, so that it takes at most the product of the lengths.
enum TextPattern {
    /// The longest pattern in bytes.
    static let longest = 512
    /// The largest product of the lengths of a pattern and a text: so many steps take a fraction of a second.
    static let mostSteps = 1 << 26

    /// Whether text matches a pattern of LIKE: `%` any characters, `_` one, ASCII letters of either case alike.
    ///
    /// - Parameter escape: the character before one that stands for itself; nil for none.
    static func like(_ pattern: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, escape: [UInt8]?) -> Bool {
        var tokens: [Token] = []
        var index = 0
        while index < pattern.count {
            if let escape, !escape.isEmpty, pattern[index...].starts(with: escape) {
                index += escape.count
                // Nothing to escape matches nothing.
                guard index < pattern.count else { return false }
                tokens.append(.byte(lower(pattern[index])))
            } else {
                switch pattern[index] {
                case UInt8(ascii: "%"): tokens.append(.any)
                case UInt8(ascii: "_"): tokens.append(.one)
                default: tokens.append(.byte(lower(pattern[index])))
                }
            }
            index += 1
        }
        return matches(tokens, text, foldsCase: true)
    }

    /// Whether text matches a pattern of GLOB: `*` any characters, `?` one, `[a-z]` one of a set, `[^a-z]` one of others.
    static func glob(_ pattern: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Bool {
        var tokens: [Token] = []
        var index = 0
        while index < pattern.count {
            switch pattern[index] {
            case UInt8(ascii: "*"): tokens.append(.any)
            case UInt8(ascii: "?"): tokens.append(.one)
            case UInt8(ascii: "["):
                guard let set = set(pattern, &index) else { return false }
                tokens.append(set)
                continue
            default: tokens.append(.byte(pattern[index]))
            }
            index += 1
        }
        return matches(tokens, text, foldsCase: false)
    }

    private enum Token {
        case any
        case one
        case byte(UInt8)
        case set([ClosedRange<UInt32>], isNegated: Bool)
    }

    private static func set(_ pattern: UnsafeRawBufferPointer, _ index: inout Int) -> Token? {
        index += 1
        var ranges: [ClosedRange<UInt32>] = []
        let isNegated = index < pattern.count && pattern[index] == UInt8(ascii: "^")
        if isNegated { index += 1 }
        var isFirst = true
        while index < pattern.count {
            let (scalar, length) = character(pattern, at: index)
            index += length
            if scalar == 0x5D, !isFirst { return .set(ranges, isNegated: isNegated) }
            isFirst = false
            if index + 1 < pattern.count, pattern[index] == UInt8(ascii: "-"), pattern[index + 1] != 0x5D {
                let (last, length) = character(pattern, at: index + 1)
                index += 1 + length
                if scalar <= last { ranges.append(scalar...last) }
            } else {
                ranges.append(scalar...scalar)
            }
        }
        // Without its end it matches nothing.
        return nil
    }

    private static func matches(_ tokens: [Token], _ text: UnsafeRawBufferPointer, foldsCase: Bool) -> Bool {
        var (token, place) = (0, 0)
        var retry: (token: Int, place: Int)?
        while true {
            if token == tokens.count, place == text.count { return true }
            if token < tokens.count, case .any = tokens[token] {
                token += 1
                if token == tokens.count { return true }
                retry = (token, place)
                continue
            }
            if token < tokens.count, place < text.count {
                let length = match(tokens[token], text, at: place, foldsCase: foldsCase)
                if length > 0 {
                    (token, place) = (token + 1, place + length)
                    continue
                }
            }
            guard let last = retry, last.place < text.count else { return false }
            let next = last.place + character(text, at: last.place).length
            retry = (last.token, next)
            (token, place) = (last.token, next)
        }
    }

    /// How many bytes of text a token takes; 0 where it does not match.
    private static func match(
        _ token: Token, _ text: UnsafeRawBufferPointer, at place: Int, foldsCase: Bool
    ) -> Int {
        switch token {
        case .any: return 0
        case .one: return character(text, at: place).length
        case .byte(let byte): return byte == (foldsCase ? lower(text[place]) : text[place]) ? 1 : 0
        case .set(let ranges, let isNegated):
            let (scalar, length) = character(text, at: place)
            return ranges.contains { $0.contains(scalar) } != isNegated ? length : 0
        }
    }

    /// The character at a place, and its length in bytes. What is not UTF-8 is a character for itself.
    static func character(_ bytes: UnsafeRawBufferPointer, at place: Int) -> (scalar: UInt32, length: Int) {
        let first = bytes[place]
        let expected = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var scalar = UInt32(expected == 1 ? first : first & (0xFF >> UInt8(expected + 1)))
        var length = 1
        while length < expected, place + length < bytes.count, bytes[place + length] & 0xC0 == 0x80 {
            scalar = scalar << 6 | UInt32(bytes[place + length] & 0x3F)
            length += 1
        }
        return (scalar, length)
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
