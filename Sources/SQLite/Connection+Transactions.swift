// SPDX-License-Identifier: MIT

extension Connection {
    /// When a transaction takes its locks (<https://www.sqlite.org/lang_transaction.html>).
    public enum TransactionKind: String, Sendable {
        /// With its first statement. One that reads first and writes later may fail with `busy` at once.
        case deferred = "BEGIN DEFERRED"
        /// The write lock at once.
        case immediate = "BEGIN IMMEDIATE"
        /// Like `immediate`; outside WAL mode it keeps readers out as well.
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// Begins a transaction.
    public func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
        try run(kind.rawValue)
    }

    /// Commits the open transaction. Where this fails, the transaction may still be open: see `isInTransaction`.
    public func commit() throws(SQLiteError) {
        try run("COMMIT")
    }

    /// Takes the open transaction back. Does nothing where a failure has ended it already; where it cannot be ended,
    /// `isInTransaction` stays true.
    public func rollBack() {
        if isInTransaction {
            attempt("ROLLBACK")
        }
    }

    /// Runs `body` in a transaction of its own: commits what it returns from, takes back what it throws from.
    ///
    /// - Throws: what `body` throws, else what begin or commit throw.
    @discardableResult
    public func transaction<Value>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Value
    ) throws -> Value {
        try begin(kind)
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs `body` in a savepoint of the open transaction, or in a transaction where none is open: what it throws from
    /// is taken back, the rest of the transaction stays.
    ///
    /// - Throws: what `body` throws. Afterwards `isInTransaction` tells whether the failure ended the transaction.
    @discardableResult
    public func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        // One name for all: SQLite takes the innermost of a name.
        try run("SAVEPOINT inner_step")
        do {
            let value = try body()
            try run("RELEASE inner_step")
            return value
        } catch {
            takeBackSavepoint()
            throw error
        }
    }

    private func takeBackSavepoint() {
        guard isInTransaction else { return }
        if !attempt("ROLLBACK TO inner_step") || !attempt("RELEASE inner_step") {
            // What the savepoint holds must not be committed with the rest.
            rollBack()
        }
    }

    /// Runs a statement on the way out of a failure, which is the one that callers are to hear of.
    @discardableResult
    private func attempt(_ sql: String) -> Bool {
        do {
            try run(sql)
            return true
        } catch {
            return false
        }
    }
}
