// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Walks the events that fit a filter in the order of their keys, in one transaction, from a position on as far as its
/// time lasts.
struct EventScan {
    /// In which order events come.
    enum Order: Sendable {
        case newestFirst, oldestFirst

        /// What is left of a range behind a key.
        func rest(of range: Range<EventKey>, behind key: EventKey) -> Range<EventKey> {
            switch self {
            case .newestFirst: range.clamped(to: range.lowerBound..<max(range.lowerBound, key))
            case .oldestFirst: range.clamped(to: min(range.upperBound, key.next)..<range.upperBound)
            }
        }
    }

    /// Where to go on.
    enum Position: Sendable {
        /// At the first event.
        case start
        /// After an event, in the order of the walk.
        case after(EventKey)
        /// At the next event of a list.
        case within(EventList)
    }

    /// An event's row that a walk is at.
    struct Found {
        let row: EventRow
        fileprivate let scan: EventScan
        /// The row with its data, where that is read already.
        fileprivate let current: Statement?

        /// The event.
        ///
        /// - Throws: `mismatch` where what the row holds is none.
        func event() throws(SQLiteError) -> Event {
            if let current { return try scan.decoder.event(from: current) }
            return try scan.event(of: row)
        }

        /// The event without its data, which need not be readable.
        func eventWithoutData() throws(SQLiteError) -> Event {
            try scan.decoder.event(of: row)
        }
    }

    /// How a walk ended.
    enum Ending: Sendable {
        /// All was seen.
        case end
        /// The rest is behind this position.
        case pause(Position)
    }

    private let connection: Connection
    private let selection: EventSelection
    private let order: Order
    /// What the rows do not tell of the filter; nil if they tell all.
    private let matcher: EventMatcher?
    fileprivate let decoder: EventDecoder
    private let deadline: ContinuousClock.Instant

    /// A walk over the events that fit a filter. It fails at a row that holds no event: that is damage, which salvage
    /// leaves out.
    init(
        _ filter: EventFilter, _ order: Order, in connection: Connection, for limit: Duration
    ) throws(SQLiteError) {
        self.connection = connection
        self.order = order
        selection = try EventSelection(filter, in: connection)
        matcher = filter.text.map { _ in EventMatcher(filter) }
        decoder = EventDecoder(connection)
        deadline = ContinuousClock.now + limit
    }

    /// Walks the events that fit.
    ///
    /// - Parameter body: returns whether to go on behind the event.
    func events(from position: Position, _ body: (EventKey, Event) throws -> Bool) throws -> Ending {
        try rows(from: position) { found in
            try body(found.row.key, try found.event())
        }
    }

    /// Walks the rows of the events that fit; events are made of them where `body`, or the filter, needs them.
    ///
    /// - Parameter body: returns whether to go on behind the row.
    func rows(from position: Position, _ body: (Found) throws -> Bool) throws -> Ending {
        guard !selection.isEmpty else { return .end }
        if let ids = selection.filter.ids {
            return try rows(of: list(of: ids, from: position), body)
        }
        return try walk(from: position, body)
    }

    private func walk(from position: Position, _ body: (Found) throws -> Bool) throws -> Ending {
        var bounds = selection.lowerBound..<selection.upperBound
        if case .after(let key) = position {
            bounds = order.rest(of: bounds, behind: key)
        }
        while !bounds.isEmpty {
            switch try walk(bounds, body) {
            case .ended(let ending): return ending
            case .barren(let key):
                var skip = EventSkip(selection.numbers, order, in: connection, until: deadline)
                switch try skip.bounds(of: bounds, behind: key) {
                case .found(let next): bounds = next
                case .nothing: return .end
                case .late(let reached): return .pause(.after(reached))
                }
            }
        }
        return .end
    }

    private enum Stretch {
        case ended(Ending)
        /// For long, nothing has fitted up to this row.
        case barren(EventKey)
    }

    /// So many rows that do not fit are worth a look at the rollups.
    private static let barrenLimit = 512

    private func walk(_ bounds: Range<EventKey>, _ body: (Found) throws -> Bool) throws -> Stretch {
        let isWhole = !selection.isByNumber
        let rows = try connection.prepare(
            """
            SELECT \(isWhole ? EventDecoder.columns : EventRow.columns) FROM events
            WHERE key >= ? AND key < ? ORDER BY key \(order == .newestFirst ? "DESC" : "ASC")
            """)
        try rows.bind(all: bounds.lowerBound, bounds.upperBound)
        var (seen, barren) = (0, 0)
        while try rows.step() {
            let row = try EventRow(from: rows)
            barren += 1
            if selection.allows(type: row.type, source: row.source) {
                barren = 0
                let found = Found(row: row, scan: self, current: isWhole ? rows : nil)
                guard try offer(found, to: body) else { return .ended(.pause(.after(row.key))) }
            }
            seen += 1
            if seen.isMultiple(of: 64), ContinuousClock.now >= deadline {
                return .ended(.pause(.after(row.key)))
            }
            if barren == Self.barrenLimit { return .barren(row.key) }
        }
        return .ended(.end)
    }

    private func list(of ids: [EventID], from position: Position) -> EventList {
        switch position {
        case .start: EventList(ids, order, behind: nil)
        case .after(let key): EventList(ids, order, behind: key)
        case .within(let list): list
        }
    }

    private func rows(of list: EventList, _ body: (Found) throws -> Bool) throws -> Ending {
        var list = list
        guard try list.findKeys(in: connection, until: deadline) else { return .pause(.within(list)) }
        var seen = 0
        while let key = list.next() {
            // It may have been deleted since its key was looked up.
            if let row = try EventLookup.row(at: key, in: connection),
                (selection.lowerBound..<selection.upperBound).contains(key),
                selection.allows(type: row.type, source: row.source)
            {
                let found = Found(row: row, scan: self, current: nil)
                guard try offer(found, to: body) else { return .pause(.within(list)) }
            }
            seen += 1
            if seen.isMultiple(of: 64), ContinuousClock.now >= deadline { return .pause(.within(list)) }
        }
        return .end
    }

    private func offer(_ found: Found, to body: (Found) throws -> Bool) throws -> Bool {
        if let matcher {
            guard matcher.matches(try found.event()) else { return true }
        }
        return try body(found)
    }

    fileprivate func event(of row: EventRow) throws(SQLiteError) -> Event {
        let rows = try connection.prepare("SELECT \(EventDecoder.columns) FROM events WHERE key = ?")
        try rows.bind(row.key, at: 1)
        guard try rows.step() else {
            throw SQLiteError(code: .mismatch, message: "an event is in an index and not in its table")
        }
        return try decoder.event(from: rows)
    }
}
