// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Changes the events of a database within one savepoint: `finish()` comes last. What follows from the changes is left
/// in the memory, to be settled before the transaction is committed. Where anything fails, the savepoint is to be taken
/// back and the memory to be invalidated.
///
/// Belongs to the queue on which the database is written.
final class EventWriter {
    let connection: Connection
    private let memory: EventMemory

    private var changes = EventChanges()
    private var insertion: Statement?

    init(_ connection: Connection, _ memory: EventMemory) {
        self.connection = connection
        self.memory = memory
    }

    // MARK: Changes

    /// Makes room for so many changes.
    func reserveCapacity(_ eventCount: Int) {
        changes.ledger.reserveCapacity(eventCount)
    }

    /// Stores an event in the place of the one of the same id, if there is one.
    ///
    /// - Parameter source: whose events alone may be replaced; nil for anybody's.
    /// - Throws: `accessDenied` where one of another source has the id.
    func record(_ event: Event, replacingOnly source: Name? = nil) throws {
        let key = EventKey(event.id)
        if key.fits(event.timestamp) {
            if try !hasGivenIDs(), try insert(event, at: key) { return }
            if let old = try row(of: event.id) {
                try check(old, isOf: source)
                return try replace(old, with: event)
            }
            if try insert(event, at: key) { return }
            // Another event, whose id is not its key, has this one's.
        } else if let old = try row(of: event.id) {
            try check(old, isOf: source)
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
        changes.ledger.replace(row.span, with: closed)
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
        changes.ledger.remove(row.span)
    }

    /// Notes in the database that what is deleted is to be overwritten, for the next start if need be.
    func oweErasure() throws(SQLiteError) {
        memory.owesErasure = true
        try SettingsTable.set([SettingsTable.erasure: "owed"], in: connection)
    }

    /// Hands over what follows from the changes.
    func finish() {
        insertion = nil
        memory.unsettled.merge(changes)
        changes = EventChanges()
    }

    /// When events were last changed; nil if they never were.
    func lastCommit() throws(SQLiteError) -> Timestamp? {
        try SettingsTable.lastCommit(in: connection)
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

    private func check(_ row: EventRow, isOf source: Name?) throws {
        guard let source else { return }
        let name = try NameTable.sources.text(of: row.source, in: connection)
        guard let name, name.utf8.elementsEqual(source.text.utf8) else {
            throw SentinelError(.accessDenied, "an event of that id is of another application than \(source.text)")
        }
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
            typeID: try number(of: event.type, in: .types), sourceID: try number(of: event.source, in: .sources))
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
        changes.ledger.add(span)
        if event.marks.contains(.open) {
            // Windows of the present that it reaches into count it until then.
            memory.note(.some(span.start..<span.start + Event.longestDuration))
        }
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
    private func number(of name: Name, in table: NameTable) throws(SQLiteError) -> Int64 {
        if let number = memory.number(of: name, in: table) { return number }
        let number: Int64
        if let known = try table.number(of: name, in: connection) {
            number = known
        } else {
            number = try table.add(name, in: connection)
            changes.newNames[table, default: []].insert(number)
        }
        memory.remember(name, number, in: table)
        return number
    }
}
