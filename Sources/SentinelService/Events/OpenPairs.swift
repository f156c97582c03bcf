// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// The opening events whose partners are still to come, within bounds.
struct OpenPairs {
    /// So many may be open of a source.
    static let sourceLimit = 64
    /// So many may be open at all.
    static let limit = 10_000

    private struct Entry {
        let id: EventID
        /// Those that were opened earlier have smaller ones.
        let number: UInt64
    }

    private var entries: [PairKey: Entry] = [:]
    private var keys: [EventID: PairKey] = [:]
    private var keysOfSources: [Name: Set<PairKey>] = [:]
    private var lastNumber: UInt64 = 0

    /// Notes that an event is open.
    ///
    /// - Returns: the one that was, and whose partner has not come; and those for which there is no room any more.
    mutating func open(_ key: PairKey, _ id: EventID) -> (earlier: EventID?, excess: [EventID]) {
        let earlier = close(key)
        var excess: [EventID] = []
        if let own = keysOfSources[key.source], own.count >= Self.sourceLimit, let oldest = oldest(of: own) {
            excess += [close(oldest)].compactMap { $0 }
        }
        if entries.count >= Self.limit, let oldest = oldest(of: entries.keys) {
            excess += [close(oldest)].compactMap { $0 }
        }
        insert(key, id)
        return (earlier == id ? nil : earlier, excess)
    }

    /// Notes that an event is open after all, unless another is in its place.
    mutating func reopen(_ key: PairKey, _ id: EventID) {
        guard entries[key] == nil, entries.count < Self.limit else { return }
        insert(key, id)
    }

    private mutating func insert(_ key: PairKey, _ id: EventID) {
        lastNumber += 1
        entries[key] = Entry(id: id, number: lastNumber)
        keys[id] = key
        keysOfSources[key.source, default: []].insert(key)
    }

    private func oldest(of keys: some Sequence<PairKey>) -> PairKey? {
        keys.min { (entries[$0]?.number ?? 0) < (entries[$1]?.number ?? 0) }
    }

    /// Takes out the event whose partner has come; nil if there is none.
    mutating func close(_ key: PairKey) -> EventID? {
        guard let id = entries.removeValue(forKey: key)?.id else { return nil }
        keys[id] = nil
        keysOfSources[key.source]?.remove(key)
        if keysOfSources[key.source]?.isEmpty == true {
            keysOfSources[key.source] = nil
        }
        return id
    }

    /// Lets go of an event that is not open, or not there, any more.
    ///
    /// - Returns: of what it was; nil if it was not open here.
    @discardableResult
    mutating func drop(_ id: EventID) -> PairKey? {
        guard let key = keys[id] else { return nil }
        _ = close(key)
        return key
    }

    /// Whether an event is open.
    func contains(_ id: EventID) -> Bool { keys[id] != nil }

    /// All that are open, in no order.
    var all: [EventID] { Array(keys.keys) }

    /// What is open of an instance, in the order in which it is to be closed: scenes before their application.
    func keys(of client: BusName, source: Name) -> [PairKey] {
        guard let own = keysOfSources[source]?.filter({ $0.client == client }) else { return [] }
        return [EventPair.scene, .foreground].flatMap { pair in own.filter { $0.pair == pair } }
    }
}
