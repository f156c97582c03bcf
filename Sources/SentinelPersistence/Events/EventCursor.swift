// SPDX-License-Identifier: MIT

public import SentinelModels

/// The place in a list of events behind which the next page begins. It stays valid whatever is stored and deleted
/// meanwhile.
public struct EventCursor: Hashable, Sendable {
    let key: EventKey

    init(_ key: EventKey) {
        self.key = key
    }

    /// Reads what ``text`` gave.
    ///
    /// - Throws: `invalidArgs` for anything else.
    public init(_ text: String) throws(SentinelError) {
        let foreign = SentinelError(.invalidArgs, "the cursor is none that a page of events came with")
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 16 }) else { throw foreign }
        guard let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16) else { throw foreign }
        key = EventKey(high: high, low: low)
        // Also what reads as the same number in another form is none.
        guard self.text.utf8.elementsEqual(text.utf8) else { throw foreign }
    }

    /// The cursor in a form that goes over the bus.
    public var text: String {
        [key.high, key.low, check].map(Self.digits).joined(separator: "-")
    }

    /// Tells a cursor from what somebody made up: FNV-1a over the key.
    private var check: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for half in [key.high, key.low, 0x53656e74696e656c] {
            for shift in stride(from: 56, through: 0, by: -8) {
                hash = (hash ^ (half >> UInt64(shift) & 0xff)) &* 0x100_0000_01b3
            }
        }
        return hash
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
