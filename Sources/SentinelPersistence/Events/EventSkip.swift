// SPDX-License-Identifier: MIT

import SQLite

/// Finds in the rollups where the next events of some types or sources are, so that others need not be walked.
struct EventSkip {
    /// What was found.
    enum Finding {
        /// The part of the range that may hold events that are meant.
        case found(Range<EventKey>)
        /// There are none.
        case nothing
        /// The time was over before any were found: there are none up to this key.
        case late(EventKey)
    }

    private let connection: Connection
    private let order: EventScan.Order
    private let numbers: RollupReader.Filter
    private let deadline: ContinuousClock.Instant
    private var looks = 0
    /// Up to which time there is nothing, once the time to look was over.
    private var reached: Int64?

    init(
        _ numbers: RollupReader.Filter, _ order: EventScan.Order, in connection: Connection,
        until deadline: ContinuousClock.Instant
    ) {
        self.numbers = numbers
        self.order = order
        self.connection = connection
        self.deadline = deadline
    }

    /// The part of a range of keys behind a key, without what comes before the next quarter of an hour that may hold
    /// events that are meant.
    mutating func bounds(of range: Range<EventKey>, behind key: EventKey) throws(SQLiteError) -> Finding {
        let rest = order.rest(of: range, behind: key)
        guard !rest.isEmpty else { return .nothing }
        let last = order == .newestFirst ? key.microseconds + 1 : range.upperBound.microseconds
        let quarter = try quarter(in: Self.span(rest.lowerBound.microseconds, last))
        if let reached {
            // Not back to before where it began.
            let bound = EventKey(lowerBound: reached)
            return .late(order == .newestFirst ? min(key, bound) : max(key, bound))
        }
        guard let quarter else { return .nothing }
        let bounds =
            switch order {
            case .newestFirst: rest.clamped(to: rest.lowerBound..<after(quarter, from: rest.lowerBound))
            case .oldestFirst:
                rest.clamped(to: min(rest.upperBound, EventKey(lowerBound: quarter))..<rest.upperBound)
            }
        return bounds.isEmpty ? .nothing : .found(bounds)
    }

    private func after(_ quarter: Int64, from key: EventKey) -> EventKey {
        max(key, EventKey(lowerBound: quarter + RollupTier.quarterLength))
    }

    /// Whether the time is over. Notes, then, up to where there is nothing.
    private mutating func isLate(at start: Int64, _ tier: RollupTier) -> Bool {
        looks += 1
        guard reached == nil, looks.isMultiple(of: 64), ContinuousClock.now >= deadline else { return reached != nil }
        reached = order == .newestFirst ? start + tier.length : start
        return true
    }

    /// A range of time, empty where a damaged key would turn it round.
    private static func span(_ start: Int64, _ end: Int64) -> Range<Int64> {
        start..<max(start, end)
    }

    /// Start of the first quarter, in the order, that touches a range of time and holds events that are meant.
    private mutating func quarter(in range: Range<Int64>) throws(SQLiteError) -> Int64? {
        var range = range
        while !range.isEmpty, let quarter = try unit(.day, in: range)?.start {
            if try holdsPair(quarter) { return quarter }
            if isLate(at: quarter, .quarter) { return nil }
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
    private mutating func unit(_ tier: RollupTier, in range: Range<Int64>) throws(SQLiteError) -> RollupUnit? {
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
            let unit = RollupUnit(tier, start: start * RollupTier.quarterLength)
            if isLate(at: unit.start, tier) { return nil }
            guard wanted.contains(number) else { continue }
            guard let child = tier.child else { return unit }
            let found = try self.unit(child, in: range.clamped(to: unit.start..<unit.end))
            if found != nil || reached != nil { return found }
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
