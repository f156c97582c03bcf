// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// One ad-hoc query: a connection of its own to an empty database in memory, in which there is nothing but the tables that
/// a query may see. Whatever a statement says, the rest of the store's database is not within its reach.
final class QueryRun {
    /// How much memory SQLite may take for it; more goes into temporary files.
    private static let memory = 96 << 20
    /// How much goes into those in all: the disk is others' too.
    private static let temporaryBytes: Int64 = 256 << 20

    /// Why it is ended early.
    private enum Ending {
        case late, cancelled
    }

    private let connection: Connection
    private let reader: Connection?
    private let isCancelled: () -> Bool
    private var deadline = ContinuousClock.Instant.now
    private var ending: Ending?
    /// What reading the store failed with.
    private(set) var failure: SQLiteError?

    /// A query that reads with a connection.
    ///
    /// - Parameters:
    ///   - reader: reads the store in a transaction that is open; nil to look at statements alone.
    ///   - directory: where temporary files go; nil for where SQLite puts them.
    ///   - isCancelled: asked often.
    init(reader: Connection?, directory: String?, isCancelled: @escaping () -> Bool) throws(SQLiteError) {
        self.reader = reader
        self.isCancelled = isCancelled
        connection = try Connection(
            .memory,
            options: .init(
                statementCacheCapacity: 0, temporaryDirectory: directory, temporaryByteLimit: Self.temporaryBytes))
        try connection.setPragma("temp_store", to: "file")
        // In KiB.
        try connection.setPragma("cache_size", to: -8192)
        try connection.setDefensive()
        try QueryFunctions.add(to: connection) { [weak self] in self?.isOver() ?? true }
        let source = { () throws(SQLiteError) -> Connection in
            guard let reader else { throw SQLiteError(code: .cannotOpen, message: "there is no database") }
            return reader
        }
        let failed = { [weak self] (error: SQLiteError) in
            // What ends the query ends the reading too.
            if error.code != .interrupt { self?.failure = error }
        }
        try connection.addTable("events", QueryTables.events(source), failed: failed)
        try connection.addTable("buckets", QueryTables.buckets(source), failed: failed)
        for (limit, value) in Self.limits {
            try connection.setLimit(limit, to: value)
        }
        try connection.setAuthorizer(Self.isAllowed)
    }

    private static let limits: [(Connection.Limit, Int)] = [
        (.valueLength, 1 << 20), (.statementLength, 64 << 10), (.columns, 100), (.expressionDepth, 100),
        (.compoundTerms, 50), (.instructions, 10_000), (.functionArguments, 32), (.attachedDatabases, 0),
        (.patternLength, TextPattern.longest), (.parameterNumber, 999), (.triggerDepth, 0), (.workerThreads, 0),
    ]

    private static func isAllowed(_ action: Connection.Action) -> Bool {
        switch action {
        case .select, .recursion: return true
        case .read(let table, let column):
            let table = table.lowercased()
            if ["events", "buckets"].contains(table) { return true }
            // A common table expression, of which no column is read. There is no other table than those of SQLite.
            return column == nil && !table.hasPrefix("sqlite_") && !table.hasPrefix("pragma_")
        case .function(let name): return QueryFunctions.allowed.contains(name.lowercased())
        case .other: return false
        }
    }

    /// Names of a statement's parameters, nil for those with a position alone.
    func parameterNames(of sql: String) throws(SentinelError) -> [String?] {
        try attempt { try prepare(sql).parameterNames }
    }

    /// Runs it.
    func rows(of request: QueryRequest) throws(SentinelError) -> QueryRows {
        deadline = .now + request.duration
        return try attempt {
            for connection in [connection, reader].compactMap(\.self) {
                try connection.setProgressHandler { [weak self] in self?.isOver() ?? true }
            }
            // The store's connection is used again.
            defer { reader?.removeProgressHandler() }
            let statement = try prepare(request.sql)
            let columns = try Self.columns(of: statement)
            try bind(request.parameters, to: statement)
            return QueryRows(columns: columns, rows: try read(statement, columns, request))
        }
    }

    private func isOver() -> Bool {
        if ending == nil {
            ending = isCancelled() ? .cancelled : ContinuousClock.now >= deadline ? .late : nil
        }
        return ending != nil
    }

    private func prepare(_ sql: String) throws -> Statement {
        let statement = try connection.prepare(sql)
        guard statement.isReadOnly, statement.columnCount > 0 else {
            throw SentinelError(.invalidArgs, "the statement must be one that reads, such as SELECT")
        }
        return statement
    }

    private static func columns(of statement: Statement) throws -> [String] {
        let columns = statement.columnNames
        var seen: Set<[UInt8]> = []
        for column in columns where !seen.insert(Array(column.utf8)).inserted {
            throw SentinelError(.invalidArgs, "two columns are called \(column.debugDescription): rename one with AS")
        }
        return columns
    }

    private func bind(_ parameters: QueryRequest.Parameters, to statement: Statement) throws {
        switch parameters {
        case .list(let values):
            guard values.count == statement.parameterCount else {
                throw SentinelError(
                    .invalidArgs, "the statement has \(statement.parameterCount) parameters and not \(values.count)")
            }
            for (index, value) in values.enumerated() {
                try value.bind(to: statement, at: index + 1)
            }
        case .named(let values):
            for (index, name) in statement.parameterNames.enumerated() {
                guard let name, let value = values[String(name.dropFirst())] else {
                    throw SentinelError(.invalidArgs, "the parameter \(name ?? "\(index + 1)") has no value")
                }
                try value.bind(to: statement, at: index + 1)
            }
        }
    }

    private func read(_ statement: Statement, _ columns: [String], _ request: QueryRequest) throws -> [[QueryValue?]] {
        var rows: [[QueryValue?]] = []
        var byteCount = 0
        while rows.count < request.limit, try statement.step() {
            var row: [QueryValue?] = []
            for (index, column) in columns.enumerated() {
                let value = try QueryValue.column(index, of: statement)
                row.append(value)
                byteCount += value.map { $0.byteCount + column.utf8.count + 16 } ?? 0
                guard byteCount <= request.byteLimit else {
                    guard rows.isEmpty else { return rows }
                    throw SentinelError(.limitsExceeded, "a row has more than \(request.byteLimit) bytes: select less")
                }
            }
            byteCount += 8
            rows.append(row)
        }
        return rows
    }

    /// Does something with SQLite; what it fails with is the statement's fault, unless it is known better.
    private func attempt<Value>(_ body: () throws -> Value) throws(SentinelError) -> Value {
        do {
            return try Connection.withMemory(ofAtMost: Self.memory, body)
        } catch let error as SentinelError {
            throw error
        } catch {
            switch (ending, failure, error as? SQLiteError) {
            case (.late, _, _): throw SentinelError(.timeout, "the query took too long: narrow its range of time")
            case (.cancelled, _, _): throw ReadCancellation.error
            case (nil, let failure?, _) where failure.code != .noMemory: throw SentinelError(storage: failure)
            case (nil, _, let error?): throw SentinelError(query: error)
            default: throw SentinelError(storage: error)
            }
        }
    }
}

extension SentinelError {
    /// What a caller hears of a failure of a statement that it has written.
    fileprivate init(query error: SQLiteError) {
        switch error.code {
        case .noMemory: self.init(.limitsExceeded, "the query needs too much memory", underlying: error)
        case .full:
            self.init(
                .limitsExceeded, "the query needs too much temporary space: narrow its range of time", underlying: error
            )
        case .ioError, .cannotOpen, .corrupt, .notADatabase: self.init(storage: error)
        default: self.init(.invalidArgs, "the statement fails: \(error.message)", underlying: error)
        }
    }
}
