// SPDX-License-Identifier: MIT

import SentinelModels

extension EventKey {
    /// The key of the same bits as an id.
    init(_ id: EventID) {
        self.init(high: id.high, low: id.low)
    }

    /// A new key of an event that starts at a time.
    init(makingFor timestamp: Timestamp) {
        self.init(EventID.make(at: timestamp))
    }

    /// The id of its event, unless that was given another one.
    var id: EventID {
        EventID(high: high, low: low)
    }

    /// The key that comes next in order.
    var next: EventKey {
        low == .max ? EventKey(high: high &+ 1, low: 0) : EventKey(high: high, low: low &+ 1)
    }

    /// Whether it can be the key of an event that starts at that time: its variant is that of RFC 9562, section 4.1.
    func fits(_ timestamp: Timestamp) -> Bool {
        high == EventKey(lowerBound: timestamp.microseconds).high && low >> 62 == 0b10
    }
}
