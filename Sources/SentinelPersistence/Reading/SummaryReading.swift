// SPDX-License-Identifier: MIT

package import SQLite
package import SentinelModels

/// The database as it is in one read transaction, as far as summaries are made of it.
package struct SummaryReading {
    /// Counts and durations. Without events that are open, until ``RollupReader/present`` is set.
    package var rollups: RollupReader
    let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
        rollups = RollupReader(connection)
    }

    /// Counts open events of windows that hold a time as lasting until then.
    package mutating func take(present now: Timestamp) throws(SQLiteError) {
        rollups.present = try PresentEvents(now: now, in: connection)
    }

    /// Whether any event is open, also one that is to begin.
    package func hasOpenEvents() throws(SQLiteError) -> Bool {
        try EventWalk(openIn: connection, newest: 1).next() != nil
    }

    /// The numbers that a filter's types and sources have; nil where nothing fits it.
    package func numbers(of filter: EventFilter) throws(SQLiteError) -> RollupReader.Filter? {
        let selection = try EventSelection(filter, in: connection)
        return selection.isEmpty ? nil : selection.numbers
    }

    /// The name of a type or a source.
    package func name(_ number: Int64, of dimension: EventDimension) throws -> Name {
        let lost = NameTable.replacement(of: number)
        let text = try NameTable(dimension).text(of: number, in: connection) ?? lost
        do throws(SentinelError) {
            return try Name(text)
        } catch {
            return try Name(lost)
        }
    }

    /// The number of a type's or a source's name; nil where no event has it.
    package func number(_ name: Name, of dimension: EventDimension) throws(SQLiteError) -> Int64? {
        try NameTable(dimension).number(of: name, in: connection)
    }

    /// From when the first event begins to just after the last one begins; nil without events.
    package func extent() throws(SQLiteError) -> Range<Int64>? {
        guard let first = try connection.first("SELECT min(key) FROM events", as: EventKey?.self) ?? nil,
            let last = try connection.first("SELECT max(key) FROM events", as: EventKey?.self) ?? nil
        else { return nil }
        return first.microseconds..<max(last.microseconds, first.microseconds) + 1
    }

    /// Events of a filter that names ids, each with its window and numbers.
    package func events(_ ids: [EventID]) throws(SQLiteError) -> [(start: Int64, end: Int64, pair: RollupReader.Pair)] {
        var events: [(start: Int64, end: Int64, pair: RollupReader.Pair)] = []
        var seen: Set<EventKey> = []
        for id in ids {
            guard let row = try EventLookup.row(of: id, in: connection), seen.insert(row.span.key).inserted else {
                continue
            }
            let span = rollups.present?.lasting(row.span) ?? row.span
            events.append((span.start, span.end, RollupReader.Pair(type: span.typeID, source: span.sourceID)))
        }
        return events
    }

    /// Gives `body` how many events start in each unit of a window that begins and ends with units: hours, or quarters
    /// of an hour.
    package func forEachCount(
        byHours: Bool, from start: Int64, to end: Int64, _ body: (_ start: Int64, _ count: Int64) -> Void
    ) throws(SQLiteError) {
        let rows = try RollupRows(.types, byHours ? .hour : .quarter, from: start, to: end, in: connection)
        while let row = try rows.next() {
            body(row.start * RollupTier.quarterLength, row.amount.count)
        }
    }

    /// Where a walk over events goes on.
    package struct WalkPosition: Sendable {
        let key: EventKey

        /// At the first event of a time or later.
        package init(from time: Int64) {
            key = EventKey(lowerBound: time)
        }

        init(_ key: EventKey) {
            self.key = key
        }
    }

    /// Gives `body` the durations of events from a place on that start before a time, until the transaction has lasted
    /// long enough.
    ///
    /// - Parameter type: the number of their type; nil for all.
    /// - Returns: where to go on; nil at the end.
    package func forEachDuration(
        from position: WalkPosition, to end: Int64, type: Int64?, _ body: (Int64) -> Void
    ) throws(SQLiteError) -> WalkPosition? {
        let deadline = ContinuousClock.now + ReadLane.transactionLimit
        let rows = try connection.prepare(
            "SELECT key, duration, type FROM events WHERE key >= ? AND key < ? ORDER BY key")
        try rows.bind(all: position.key, EventKey(lowerBound: end))
        var count = 0
        while try rows.step() {
            count += 1
            // Looking at the clock costs as much as a few rows.
            if count.isMultiple(of: 256), ContinuousClock.now >= deadline {
                return WalkPosition(try rows.column(0))
            }
            if let type, try rows.column(2) as Int64 != type { continue }
            if let duration = try EventSpan.duration(of: rows, at: 1) {
                body(duration)
            }
        }
        return nil
    }
}
