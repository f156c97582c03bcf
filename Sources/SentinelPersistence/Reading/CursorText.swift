// SPDX-License-Identifier: MIT

/// Two numbers as the text of a cursor, with a third by which one that was made up is told.
struct CursorText {
    /// What the cursor is of, so that one of something else is told too.
    let kind: UInt64

    /// The text of two numbers.
    func text(_ high: UInt64, _ low: UInt64) -> String {
        [high, low, check(high, low)].map(Self.digits).joined(separator: "-")
    }

    /// The numbers of a text; nil for one that ``text(_:_:)`` does not give.
    func numbers(in text: String) -> (high: UInt64, low: UInt64)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 16 }),
            let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16),
            // Also what reads as the same number in another form is none.
            self.text(high, low).utf8.elementsEqual(text.utf8)
        else { return nil }
        return (high, low)
    }

    /// FNV-1a over the numbers.
    private func check(_ high: UInt64, _ low: UInt64) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for number in [high, low, kind] {
            for shift in stride(from: 56, through: 0, by: -8) {
                hash = (hash ^ (number >> UInt64(shift) & 0xff)) &* 0x100_0000_01b3
            }
        }
        return hash
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
