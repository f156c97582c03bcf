// SPDX-License-Identifier: MIT

import CSQLite

extension Connection {
    /// Sets how long a statement waits for another connection's lock; zero fails at once.
    public func setBusyTimeout(_ timeout: Duration) throws(SQLiteError) {
        let (seconds, attoseconds) = timeout.components
        let milliseconds = Int64(Int32(clamping: seconds)) * 1000 + attoseconds / 1_000_000_000_000_000
        sqlite3_busy_timeout(try usableHandle(), Int32(clamping: milliseconds))
        busyTimeout = timeout
    }

    /// Does something with another time that a statement waits for a lock, and restores the one before, also where it
    /// throws.
    public func withBusyTimeout<Value>(
        _ timeout: Duration, _ body: () throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        let before = busyTimeout
        try setBusyTimeout(timeout)
        let result: Result<Value, SQLiteError>
        do throws(SQLiteError) {
            result = .success(try body())
        } catch {
            result = .failure(error)
        }
        try setBusyTimeout(before)
        return try result.get()
    }

    /// Reads a setting (<https://www.sqlite.org/pragma.html>), nil where it has no value.
    public func pragma<Column: StatementValue>(
        _ name: String, as type: Column.Type = Column.self
    ) throws(SQLiteError) -> Column? {
        Self.checkPragma(name)
        return try first("PRAGMA \(name)")
    }

    /// Changes a setting and returns what is in force afterwards, where SQLite says.
    @discardableResult
    public func setPragma(_ name: String, to value: Int64) throws(SQLiteError) -> Value? {
        Self.checkPragma(name)
        return try first("PRAGMA \(name) = \(value)")
    }

    /// Changes a setting to a text or keyword and returns what is in force afterwards, where SQLite says.
    @discardableResult
    public func setPragma(_ name: String, to value: String) throws(SQLiteError) -> Value? {
        Self.checkPragma(name)
        var quoted = "'"
        for character in value.unicodeScalars {
            quoted.unicodeScalars.append(character)
            if character == "'" {
                quoted.unicodeScalars.append(character)
            }
        }
        return try first("PRAGMA \(name) = \(quoted)'")
    }

    /// Version of the schema, a number of the application's own (`user_version`).
    public func userVersion() throws(SQLiteError) -> Int {
        try pragma("user_version") ?? 0
    }

    /// Stops checkpoints after commits, which hold up the commit that happens to cause them; the application calls
    /// `checkpoint(_:)` where it suits. From now on `logFrameCount` is kept.
    public func stopAutomaticCheckpoints() throws(SQLiteError) {
        let handle = try usableHandle()
        // The hook is called on this connection's queue and ends with the handle, which ends no later than self.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle,
            { context, _, _, frames in
                if let context {
                    Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().logFrameCount = Int(frames)
                }
                return SQLITE_OK
            }, context)
    }

    func setFlag(_ option: Int32, to value: Bool) throws(SQLiteError) {
        let result = csqlite_db_config_flag(try usableHandle(), option, value ? 1 : 0, nil)
        guard result == SQLITE_OK else {
            throw error(result)
        }
    }

    private static func checkPragma(_ name: String) {
        precondition(
            name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) },
            "the name of a pragma holds lower-case letters and underscores")
    }
}
