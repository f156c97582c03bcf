// SPDX-License-Identifier: MIT

/// Bytes as text (RFC 4648, section 4), with padding.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for index in 0..<4 {
                let digit = Int(bits >> (18 - 6 * UInt32(index)) & 0x3F)
                text.append(index <= group.count ? alphabet[digit] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that a text stands for; nil for one that is not written by the rules.
    static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        for start in stride(from: 0, to: digits.count, by: 4) {
            let group = digits[start..<start + 4]
            let values = group.prefix { $0 != padding }
            let isLast = start + 4 == digits.count
            guard values.count >= (isLast ? 2 : 4), group.dropFirst(values.count).allSatisfy({ $0 == padding }) else {
                return nil
            }
            var bits: UInt32 = 0
            for digit in values {
                guard let value = value(of: digit) else { return nil }
                bits = bits << 6 | value
            }
            bits <<= 6 * UInt32(4 - values.count)
            let count = values.count - 1
            // What the padding leaves over is to be zero: each text has one meaning and each meaning one text.
            guard bits & (1 << (24 - 8 * UInt32(count)) - 1) == 0 else { return nil }
            for index in 0..<count {
                bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(index))))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
