// SPDX-License-Identifier: MIT

import SQLite

/// Finds in the rollups where the next events of some types or sources are, so that others need not be walked.
struct EventSkip {
    private let connection: Connection
    private let order: EventScan.Order
    private let numbers: RollupReader.Filter

    init(_ numbers: RollupReader.Filter, _ order: EventScan.Order, in connection: Connection) {
        self.numbers = numbers
        self.order = order
        self.connection = connection
    }

    /// The part of a range of keys behind a key, without what comes before the next quarter of an hour that may hold
    /// events that are meant; nil where there is none.
    func bounds(of range: Range<EventKey>, behind key: EventKey) throws(SQLiteError) -> Range<EventKey>? {
        switch order {
        case .newestFirst:
            guard range.lowerBound < key,
                let quarter = try quarter(in: Self.span(range.lowerBound.microseconds, key.microseconds + 1))
            else { return nil }
            let upper = min(key, EventKey(lowerBound: quarter + RollupTier.quarterLength))
            return range.lowerBound < upper ? range.lowerBound..<upper : nil
        case .oldestFirst:
            guard key.next < range.upperBound,
                let quarter = try quarter(in: Self.span(key.microseconds, range.upperBound.microseconds))
            else { return nil }
            let lower = max(key.next, EventKey(lowerBound: quarter))
            return lower < range.upperBound ? lower..<range.upperBound : nil
        }
    }

    /// A range of time, empty where a damaged key would turn it round.
    private static func span(_ start: Int64, _ end: Int64) -> Range<Int64> {
        start..<max(start, end)
    }

    /// Start of the first quarter, in the order, that touches a range of time and holds events that are meant.
    private func quarter(in range: Range<Int64>) throws(SQLiteError) -> Int64? {
        var range = range
        while !range.isEmpty, let quarter = try unit(.day, in: range)?.start {
            if try holdsPair(quarter) { return quarter }
            // It holds the type, but not of the source.
            switch order {
            case .newestFirst: range = range.clamped(to: range.lowerBound..<max(range.lowerBound, quarter))
            case .oldestFirst:
                range = range.clamped(
                    to: min(range.upperBound, quarter + RollupTier.quarterLength)..<range.upperBound)
            }
        }
        return nil
    }

    /// The first quarter, in the order, below a tier's units.
    private func unit(_ tier: RollupTier, in range: Range<Int64>) throws(SQLiteError) -> RollupUnit? {
        let (table, column, wanted) =
            if let types = numbers.types { ("type_rollups", "type", types) } else {
                ("source_rollups", "source", numbers.sources ?? [])
            }
        let rows = try connection.prepare(
            """
            SELECT start, \(column) FROM \(table) WHERE tier = ? AND start BETWEEN ? AND ? AND count > 0
            ORDER BY start \(order == .newestFirst ? "DESC" : "ASC")
            """)
        try rows.bind(
            all: tier.rawValue, RollupUnit(tier, holding: range.lowerBound).storedStart,
            RollupUnit(tier, holding: range.upperBound - 1).storedStart)
        while try rows.step() {
            let (start, number): (Int64, Int64) = (try rows.column(0), try rows.column(1))
            guard wanted.contains(number) else { continue }
            let unit = RollupUnit(tier, start: start * RollupTier.quarterLength)
            guard let child = tier.child else { return unit }
            if let found = try self.unit(child, in: range.clamped(to: unit.start..<unit.end)) { return found }
        }
        return nil
    }

    private func holdsPair(_ quarter: Int64) throws(SQLiteError) -> Bool {
        guard let types = numbers.types, let sources = numbers.sources else { return true }
        let rows = try connection.prepare(
            "SELECT type, source FROM pair_rollups WHERE tier = 0 AND start = ? AND count > 0")
        try rows.bind(RollupUnit(.quarter, start: quarter).storedStart, at: 1)
        while try rows.step() {
            let (type, source): (Int64, Int64) = (try rows.column(0), try rows.column(1))
            if types.contains(type), sources.contains(source) { return true }
        }
        return false
    }
}
