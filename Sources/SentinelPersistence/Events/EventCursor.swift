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
        guard let numbers = Self.form.numbers(in: text) else {
            throw SentinelError(.invalidArgs, "the cursor is none that a page of events came with")
        }
        key = EventKey(high: numbers.high, low: numbers.low)
    }

    /// The cursor in a form that goes over the bus.
    public var text: String { Self.form.text(key.high, key.low) }

    private static let form = CursorText(kind: 0x5365_6e74_696e_656c)
}
