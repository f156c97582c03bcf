// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// The opening events whose partners are still to come.
struct OpenEvents {
    private var ids: [PairKey: EventID] = [:]
    private var keys: [EventID: PairKey] = [:]

    /// Notes that an event is open.
    ///
    /// - Returns: the one that was, and whose partner has not come.
    mutating func open(_ key: PairKey, _ id: EventID) -> EventID? {
        let earlier = close(key)
        ids[key] = id
        keys[id] = key
        return earlier == id ? nil : earlier
    }

    /// Takes out the event whose partner has come; nil if there is none.
    mutating func close(_ key: PairKey) -> EventID? {
        guard let id = ids.removeValue(forKey: key) else { return nil }
        keys[id] = nil
        return id
    }

    /// Lets go of an event that is not open, or not there, any more.
    mutating func drop(_ id: EventID) {
        if let key = keys.removeValue(forKey: id) {
            ids[key] = nil
        }
    }

    /// All that are open, in no order.
    var all: [EventID] { Array(keys.keys) }

    /// What is open of an instance, in the order in which it is to be closed: scenes before their application.
    func keys(of client: BusName, source: Name) -> [PairKey] {
        guard !ids.isEmpty else { return [] }
        let own = ids.keys.filter { $0.client == client && $0.source == source }
        return [EventPair.scene, .foreground].flatMap { pair in own.filter { $0.pair == pair } }
    }
}
