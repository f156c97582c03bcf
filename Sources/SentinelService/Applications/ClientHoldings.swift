// SPDX-License-Identifier: MIT

import DBus

/// What clients have as long as they are on the bus.
///
/// Confined to the loop's thread.
final class ClientHoldings<Item: Hashable & Sendable>: @unchecked Sendable {
    private struct Holding {
        let watch: Subscription
        var items: Set<Item>
    }

    /// Told of each client that has left the bus, with what it had, which is its no more.
    var clientGone: ((BusName, Set<Item>) -> Void)?

    private let connection: Connection
    private var holdings: [BusName: Holding] = [:]

    /// Nothing yet.
    init(_ connection: Connection) {
        self.connection = connection
    }

    /// What a client has.
    func items(of client: BusName) -> Set<Item> { holdings[client]?.items ?? [] }

    /// Gives a client something; where it has left already, that is told soon.
    func add(_ item: Item, to client: BusName) {
        if holdings[client] != nil {
            holdings[client]?.items.insert(item)
            return
        }
        let watch = connection.watchOwner(of: client) { [weak self] owner in
            guard owner == nil, let self, let holding = holdings.removeValue(forKey: client) else { return }
            clientGone?(client, holding.items)
        }
        holdings[client] = Holding(watch: watch, items: [item])
    }

    /// Takes something from a client.
    func remove(_ item: Item, from client: BusName) {
        holdings[client]?.items.remove(item)
        if holdings[client]?.items.isEmpty == true {
            holdings[client] = nil
        }
    }

    /// Takes all from all.
    func removeAll() {
        holdings = [:]
    }
}
