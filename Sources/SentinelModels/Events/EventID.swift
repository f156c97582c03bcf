// SPDX-License-Identifier: MIT

/// The identity of an event: a UUID (RFC 9562), 128 bits in the order of its text.
public struct EventID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// The identity of these bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads a UUID in its usual form of 8-4-4-4-12 hexadecimal digits, in any case.
    ///
    /// - Throws: `invalidArgs` for any other text.
    public init(_ text: String) throws(SentinelError) {
        var digits: [UInt8] = []
        for (index, byte) in text.utf8.enumerated() {
            let isHyphen = byte == UInt8(ascii: "-")
            guard index < 36, Self.hyphens.contains(index) == isHyphen else { throw Self.refusal }
            guard !isHyphen else { continue }
            guard let digit = byte.hexadecimalValue else { throw Self.refusal }
            digits.append(digit)
        }
        guard digits.count == 32 else { throw Self.refusal }
        high = digits.prefix(16).reduce(0) { $0 << 4 | UInt64($1) }
        low = digits.suffix(16).reduce(0) { $0 << 4 | UInt64($1) }
    }

    public static func < (left: EventID, right: EventID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The UUID in lower case.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if Self.hyphens.contains(text.count) {
                text.append(UInt8(ascii: "-"))
            }
            let half = index < 16 ? high : low
            text.append(UInt8.hexadecimalDigits[Int(half >> UInt64(60 - index % 16 * 4) & 0xf)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Where the hyphens are in the text.
    private static let hyphens: Set<Int> = [8, 13, 18, 23]

    private static let refusal = SentinelError(
        .invalidArgs, "an event's id is a UUID: 32 hexadecimal digits in groups of 8-4-4-4-12 with hyphens between")
}
