// SPDX-License-Identifier: MIT

extension EventID {
    /// Makes the id of an event that begins at a time: a UUID of version 7 (RFC 9562) whose 12 bits after the
    /// milliseconds hold the microseconds; the rest is random, from the system.
    public static func make(at timestamp: Timestamp) -> EventID {
        make(at: timestamp, random: .random(in: .min ... .max))
    }

    /// The same with random bits from a generator.
    public static func make(at timestamp: Timestamp, using random: inout some RandomNumberGenerator) -> EventID {
        make(at: timestamp, random: random.next())
    }

    private static func make(at timestamp: Timestamp, random: UInt64) -> EventID {
        let (milliseconds, rest) = UInt64(clamping: timestamp.microseconds).quotientAndRemainder(dividingBy: 1000)
        return EventID(high: (milliseconds << 16) | 0x7000 | rest, low: (0b10 << 62) | (random >> 2))
    }
}
