// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Changes the events of a database, with all that follows from them, within one savepoint: `finish()` comes last.
/// Where anything fails, the savepoint is to be taken back and the memory to be invalidated.
///
/// Belongs to the queue on which the database is written.
final class EventWriter {
    let connection: Connection
    private let memory: EventMemory
    private let now: Timestamp

    private var ledger = RollupLedger()
    private var typeUses: [Int64: Int64] = [:]
    private var sourceUses: [Int64: Int64] = [:]
    private var count: Int64 = 0
    private var insertion: Statement?

    init(_ connection: Connection, _ memory: EventMemory, now: Timestamp) {
        self.connection = connection
        self.memory = memory
        self.now = now
    }

    // MARK: Changes

    /// Stores an event in the place of the one of the same id, if there is one.
    func record(_ event: Event) throws {
        let key = EventKey(event.id)
        if key.fits(event.timestamp) {
            if try !hasGivenIDs(), try insert(event, at: key) { return }
            if let old = try row(of: event.id) {
                return try replace(old, with: event)
            }
            if try insert(event, at: key) { return }
            // Another event, whose id is not its key, has this one's.
        } else if let old = try row(of: event.id) {
            return try replace(old, with: event)
        }
        try insertGiven(event, at: EventKey(makingFor: event.timestamp))
    }

    /// Stores an event unless there is one of the same id.
    ///
    /// - Returns: whether there was none.
    func add(_ event: Event) throws -> Bool {
        let key = EventKey(event.id)
        if key.fits(event.timestamp), try !hasGivenIDs() {
            return try insert(event, at: key)
        }
        guard try row(of: event.id) == nil else { return false }
        if try key.fits(event.timestamp) && insert(event, at: key) { return true }
        try insertGiven(event, at: EventKey(makingFor: event.timestamp))
        return true
    }

    /// Gives an open event its duration, from its start to a time. Does nothing to one that is not open or not there.
    func close(_ id: EventID, at end: Timestamp, marking mark: Event.Marks = []) throws(SQLiteError) {
        if let row = try row(of: id) {
            try close(row, at: end.microseconds, marking: mark)
        }
    }

    /// Closes an open event's row.
    func close(_ row: EventRow, at end: Int64, marking mark: Event.Marks) throws(SQLiteError) {
        guard row.marks.contains(.open) else { return }
        var closed = row.span
        closed.duration = min(max(end - closed.start, 0), Event.longestDuration)
        try connection.run(
            "UPDATE events SET duration = ?, crossing_end = ?, marks = ? WHERE key = ?", closed.duration,
            closed.crossingEnd, Int64(row.marks.subtracting(.open).union(mark).rawValue), row.key)
        ledger.replace(row.span, with: closed)
        use(row.type, row.source, 0)
    }

    /// Stores what is left of an event's data, with its marks, in the event's row.
    func redact(_ key: EventKey, to event: Event) throws(SQLiteError) {
        try connection.run(
            "UPDATE events SET marks = ?, data = ? WHERE key = ?", Int64(event.marks.rawValue), Self.text(event.data),
            key)
    }

    /// Removes an event's row.
    func remove(_ row: EventRow) throws(SQLiteError) {
        try connection.run("DELETE FROM events WHERE key = ?", row.key)
        if let id = row.givenID {
            try connection.run("DELETE FROM given_ids WHERE id = ?", id)
        }
        ledger.remove(row.span)
        use(row.type, row.source, -1)
    }

    /// Writes what follows from the changes: rollups, and the names with their numbers of uses.
    func finish() throws {
        insertion = nil
        try ledger.flush(in: connection)
        try settleTypes()
        try settleSources()
        memory.add(count)
    }

    // MARK: Rows

    /// The row of an event's id, nil without one.
    func row(of id: EventID) throws(SQLiteError) -> EventRow? {
        try EventLookup.row(of: id, mayBeGiven: try hasGivenIDs(), in: connection)
    }

    private func hasGivenIDs() throws(SQLiteError) -> Bool {
        if let known = memory.hasGivenIDs { return known }
        let found = try connection.first("SELECT EXISTS (SELECT 1 FROM given_ids)", as: Int64.self) == 1
        memory.hasGivenIDs = found
        return found
    }

    private func replace(_ old: EventRow, with event: Event) throws {
        try remove(old)
        let key = EventKey(event.id)
        if old.givenID == nil, old.key.fits(event.timestamp), try insert(event, at: key) { return }
        if old.givenID != nil {
            if try key.fits(event.timestamp) && insert(event, at: key) { return }
            if old.key.fits(event.timestamp) { return try insertGiven(event, at: old.key) }
        }
        try insertGiven(event, at: EventKey(makingFor: event.timestamp))
    }

    private func insertGiven(_ event: Event, at key: EventKey) throws {
        let id = EventKey(event.id)
        try connection.run("INSERT INTO given_ids (id, key) VALUES (?, ?)", id, key)
        memory.hasGivenIDs = true
        guard try insert(event, at: key, givenID: id) else {
            throw SentinelError(.failed, "two events were given one key, try again")
        }
    }

    /// Inserts a row.
    ///
    /// - Returns: whether the key was free.
    private func insert(_ event: Event, at key: EventKey, givenID: EventKey? = nil) throws -> Bool {
        let span = EventSpan(
            key: key, start: event.timestamp.microseconds, duration: try Self.duration(of: event),
            typeID: try number(ofType: event.type), sourceID: try number(ofSource: event.source))
        let statement = try insertionStatement()
        try statement.bind(key, at: 1)
        try statement.bind(span.typeID, at: 2)
        try statement.bind(span.sourceID, at: 3)
        try statement.bind(span.duration, at: 4)
        try statement.bind(span.crossingEnd, at: 5)
        try statement.bind(Int64(event.marks.rawValue), at: 6)
        try statement.bind(givenID, at: 7)
        try statement.bind(Self.text(event.data), at: 8)
        let before = connection.totalChangeCount
        try statement.run()
        guard connection.totalChangeCount != before else { return false }
        ledger.add(span)
        use(span.typeID, span.sourceID, 1)
        return true
    }

    private func insertionStatement() throws(SQLiteError) -> Statement {
        if let insertion { return insertion }
        let statement = try connection.prepare(
            """
            INSERT INTO events (key, type, source, duration, crossing_end, marks, given_id, data)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """)
        insertion = statement
        return statement
    }

    private static func duration(of event: Event) throws(SentinelError) -> Int64? {
        guard let duration = event.duration, !event.marks.contains(.open) else { return nil }
        guard (0...Event.longestDuration).contains(duration) else {
            throw SentinelError(.invalidArgs, "an event lasts 0 to 30 days")
        }
        return duration
    }

    private static func text(_ data: [DataKey: DataValue]) -> String? {
        data.isEmpty ? nil : DataValue.json(of: data).serialized()
    }
}

// MARK: - Names

extension EventWriter {
    private func number(ofType name: Name) throws(SQLiteError) -> Int64 {
        if let number = memory.types[name] { return number }
        let number: Int64
        if let known = try connection.first(
            "SELECT id FROM event_types WHERE name = ?", name.text, as: Int64.self)
        {
            number = known
        } else {
            try connection.run(
                "INSERT INTO event_types (name, uses, written) VALUES (?, 0, ?)", name.text, now.microseconds)
            number = connection.lastInsertedRow
            // Should no event come to have it, it goes again.
            typeUses[number, default: 0] += 0
        }
        Self.remember(name, number, in: &memory.types)
        return number
    }

    private func number(ofSource name: Name) throws(SQLiteError) -> Int64 {
        if let number = memory.sources[name] { return number }
        let number: Int64
        if let known = try connection.first(
            "SELECT id FROM event_sources WHERE name = ?", name.text, as: Int64.self)
        {
            number = known
        } else {
            try connection.run("INSERT INTO event_sources (name, uses) VALUES (?, 0)", name.text)
            number = connection.lastInsertedRow
            sourceUses[number, default: 0] += 0
        }
        Self.remember(name, number, in: &memory.sources)
        return number
    }

    private static func remember(_ name: Name, _ number: Int64, in numbers: inout [Name: Int64]) {
        if numbers.count >= EventMemory.nameLimit {
            numbers.removeAll(keepingCapacity: true)
        }
        numbers[name] = number
    }

    private func use(_ type: Int64, _ source: Int64, _ change: Int64) {
        typeUses[type, default: 0] += change
        sourceUses[source, default: 0] += change
        count += change
    }

    private func settleTypes() throws(SQLiteError) {
        for (number, change) in typeUses {
            try connection.run(
                "UPDATE event_types SET uses = uses + ?, written = ? WHERE id = ?", change, now.microseconds, number)
            if change <= 0,
                try connection.run("DELETE FROM event_types WHERE id = ? AND uses <= 0", number) > 0
            {
                memory.types.removeAll()
            }
        }
    }

    private func settleSources() throws(SQLiteError) {
        for (number, change) in sourceUses where change != 0 {
            try connection.run("UPDATE event_sources SET uses = uses + ? WHERE id = ?", change, number)
        }
        for (number, change) in sourceUses where change <= 0 {
            if try connection.run("DELETE FROM event_sources WHERE id = ? AND uses <= 0", number) > 0 {
                memory.sources.removeAll()
            }
        }
    }
}
