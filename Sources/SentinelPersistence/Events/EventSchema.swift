// SPDX-License-Identifier: MIT

/// The tables of the events and of what belongs to them.
enum EventSchema {
    /// Makes the tables.
    ///
    /// - `events`: `duration` in microseconds; `crossing_end` is the end of an event that reaches into another quarter
    ///   of an hour than the one in which it starts; `marks` as in `Event.Marks`; `given_id` where the id is not the
    ///   key; `data` as JSON.
    /// - `event_types` and `event_sources`: the names with how many events have them. A name without events has no row.
    /// - `given_ids`: the keys of the events whose id is another one.
    static let sql = """
        CREATE TABLE events (
            key BLOB NOT NULL PRIMARY KEY,
            type INTEGER NOT NULL,
            source INTEGER NOT NULL,
            duration INTEGER,
            crossing_end INTEGER,
            marks INTEGER NOT NULL,
            given_id BLOB,
            data TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX events_crossing ON events (crossing_end) WHERE crossing_end IS NOT NULL;
        CREATE INDEX events_open ON events (marks) WHERE marks & 1;
        CREATE TABLE event_types (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            uses INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE event_sources (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            uses INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE given_ids (
            id BLOB NOT NULL PRIMARY KEY,
            key BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE settings (
            name TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Statements that can be prepared where the tables are there in the form in which they are used.
    static let selections = [
        "SELECT key, type, source, duration, crossing_end, marks, given_id, data FROM events",
        "SELECT id, name, uses FROM event_types",
        "SELECT id, name, uses FROM event_sources",
        "SELECT id, key FROM given_ids",
        "SELECT name, value FROM settings",
    ]
}
