// SPDX-License-Identifier: MIT

import Glibc

/// Reads text from its beginning to its end, byte by byte, without ever leaving it.
///
/// It holds no memory of its own and is valid as long as the buffer is that it looks at.
struct ByteScanner {
    /// What has not been read yet.
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// All that is left as text; bytes that are not UTF-8 become U+FFFD.
    var text: String { String(decoding: rest, as: UTF8.self) }

    /// The next line without its end; nil after the last.
    mutating func nextLine() -> ByteScanner? {
        next(before: UInt8(ascii: "\n"))
    }

    /// What comes before the next `separator`, which is passed over, or before the end; nil at the end.
    mutating func next(before separator: UInt8) -> ByteScanner? {
        guard let start = rest.baseAddress, !rest.isEmpty else { return nil }
        let length = memchr(start, Int32(separator), rest.count).map { UnsafeRawPointer($0) - start } ?? rest.count
        let part = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
        drop(length &+ 1)
        return ByteScanner(part)
    }

    /// What comes before the last `separator`, which is passed over; nil, with nothing passed, if there is none.
    mutating func next(beforeLast separator: UInt8) -> ByteScanner? {
        guard let index = rest.lastIndex(of: separator) else { return nil }
        let part = UnsafeRawBufferPointer(rebasing: rest[..<index])
        drop(index &+ 1)
        return ByteScanner(part)
    }

    /// Passes over a text if it comes next.
    mutating func skip(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard let start = rest.baseAddress, rest.count >= length, memcmp(start, text.utf8Start, length) == 0 else {
            return false
        }
        drop(length)
        return true
    }

    /// Passes over spaces and tabs.
    mutating func skipBlanks() {
        var count = 0
        for byte in rest {
            guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") else { break }
            count &+= 1
        }
        drop(count)
    }

    /// Passes over some fields between blanks; false if there are fewer.
    mutating func skipFields(_ number: Int) -> Bool {
        for _ in 0..<number {
            skipBlanks()
            guard !rest.isEmpty else { return false }
            var count = 0
            for byte in rest {
                guard byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") else { break }
                count &+= 1
            }
            drop(count)
        }
        return true
    }

    /// The next byte.
    mutating func byte() -> UInt8? {
        guard let first = rest.first else { return nil }
        drop(1)
        return first
    }

    /// The digits that come next, as a number; nil if there are none or it does not fit.
    mutating func digits() -> UInt64? {
        var number: UInt64 = 0
        var count = 0
        for byte in rest {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = tenfold.addingReportingOverflow(UInt64(digit))
            guard !isTooLarge, !isStillTooLarge else { return nil }
            number = sum
            count &+= 1
        }
        guard count > 0 else { return nil }
        drop(count)
        return number
    }

    /// The next field as a whole number; nil if it is none or does not fit.
    mutating func unsigned() -> UInt64? {
        skipBlanks()
        guard let number = digits(), isAtBoundary else { return nil }
        return number
    }

    /// The next field as a whole number that may be negative; nil if it is none or does not fit.
    mutating func signed() -> Int64? {
        skipBlanks()
        let isNegative = skip("-")
        guard let magnitude = digits(), isAtBoundary else { return nil }
        if isNegative {
            return magnitude == Int64.min.magnitude ? Int64.min : Int64(exactly: magnitude).map { 0 &- $0 }
        }
        return Int64(exactly: magnitude)
    }

    /// The next field as a decimal number such as `12.34`; nil if it is none.
    mutating func decimal() -> Double? {
        skipBlanks()
        guard let whole = digits() else { return nil }
        guard skip(".") else { return isAtBoundary ? Double(whole) : nil }
        let before = rest.count
        guard let fraction = digits(), isAtBoundary else { return nil }
        var scale = 1.0
        for _ in 0..<(before &- rest.count) {
            scale *= 10
        }
        return (Double(whole) * scale + Double(fraction)) / scale
    }

    private var isAtBoundary: Bool {
        guard let next = rest.first else { return true }
        return next == UInt8(ascii: " ") || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\t")
    }

    private mutating func drop(_ count: Int) {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
}
