// SPDX-License-Identifier: MIT

import CSQLite

extension Connection {
    /// Adds a table that is there under its name without being made (an eponymous virtual table,
    /// <https://www.sqlite.org/vtab.html>).
    ///
    /// - Parameter failed: told what a query of the table fails with, before the statement fails that reads it.
    public func addTable(
        _ name: String, _ table: VirtualTable, failed: @escaping (SQLiteError) -> Void
    ) throws(SQLiteError) {
        let handle = try usableHandle()
        let context = Unmanaged.passRetained(TableContext(table, failed))
        // Released by SQLite, also where this fails.
        let result = sqlite3_create_module_v2(
            handle, name, TableModule.shared, context.toOpaque(),
            { data in
                if let data {
                    Unmanaged<TableContext>.fromOpaque(data).release()
                }
            })
        guard result == SQLITE_OK else {
            throw error(result)
        }
        // Declared with its first use, which an authorizer that comes later need not allow.
        _ = try prepare("SELECT 1 FROM \"\(name)\"")
    }
}

/// What the functions of a table's module share.
private final class TableContext {
    let table: VirtualTable
    let failed: (SQLiteError) -> Void

    init(_ table: VirtualTable, _ failed: @escaping (SQLiteError) -> Void) {
        self.table = table
        self.failed = failed
    }

    func fail(_ error: SQLiteError) -> Int32 {
        failed(error)
        return error.code.rawValue < 0 ? SQLITE_ERROR : error.extendedCode.rawValue
    }
}

/// A table as a statement knows it; `base` comes first.
private struct TableInstance {
    var base = sqlite3_vtab()
    let context: Unmanaged<TableContext>

    static func context(of table: UnsafeMutablePointer<sqlite3_vtab>) -> TableContext {
        UnsafeMutableRawPointer(table).assumingMemoryBound(to: TableInstance.self).pointee.context
            .takeUnretainedValue()
    }
}

/// A walk over rows; `base` comes first.
private struct TableCursor {
    var base = sqlite3_vtab_cursor()
    var rows: Statement?
    var number: Int64 = 0

    static func at(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> UnsafeMutablePointer<TableCursor> {
        UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: TableCursor.self)
    }

    /// Goes to the next row; without one `rows` is nil.
    mutating func advance(_ context: TableContext) -> Int32 {
        guard let rows else { return SQLITE_OK }
        do throws(SQLiteError) {
            number += 1
            if try !rows.step() {
                self.rows = nil
            }
            return SQLITE_OK
        } catch {
            self.rows = nil
            return context.fail(error)
        }
    }
}

/// The functions by which SQLite reads a table.
private enum TableModule {
    nonisolated(unsafe) static let shared: UnsafePointer<sqlite3_module> = {
        var module = sqlite3_module()
        module.iVersion = 1
        module.xConnect = { handle, data, _, _, table, _ in
            guard let data, let table else { return SQLITE_INTERNAL }
            let context = Unmanaged<TableContext>.fromOpaque(data)
            let columns = context.takeUnretainedValue().table.columns.map { "\"\($0.name)\" \($0.type)" }
            let result = sqlite3_declare_vtab(handle, "CREATE TABLE t (\(columns.joined(separator: ", ")))")
            guard result == SQLITE_OK else { return result }
            let instance = UnsafeMutablePointer<TableInstance>.allocate(capacity: 1)
            instance.initialize(to: TableInstance(context: context))
            table.pointee = UnsafeMutableRawPointer(instance).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }
        module.xDisconnect = { table in
            guard let table else { return SQLITE_OK }
            let instance = UnsafeMutableRawPointer(table).assumingMemoryBound(to: TableInstance.self)
            instance.deinitialize(count: 1)
            instance.deallocate()
            return SQLITE_OK
        }
        module.xBestIndex = { table, info in
            guard let table, let info else { return SQLITE_INTERNAL }
            return TableModule.plan(TableInstance.context(of: table).table, info)
        }
        module.xOpen = { _, cursor in
            let made = UnsafeMutablePointer<TableCursor>.allocate(capacity: 1)
            made.initialize(to: TableCursor())
            cursor?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            guard let cursor else { return SQLITE_OK }
            let made = TableCursor.at(cursor)
            made.deinitialize(count: 1)
            made.deallocate()
            return SQLITE_OK
        }
        module.xFilter = { cursor, number, _, count, values in
            guard let cursor, let table = cursor.pointee.pVtab else { return SQLITE_INTERNAL }
            let context = TableInstance.context(of: table)
            let made = TableCursor.at(cursor)
            made.pointee.rows = nil
            let request = TableModule.request(
                context.table, .init(number: number), UnsafeBufferPointer(start: values, count: Int(count)))
            guard !request.isEmpty else { return SQLITE_OK }
            do throws(SQLiteError) {
                made.pointee.rows = try context.table.query(request)
            } catch {
                return context.fail(error)
            }
            return made.pointee.advance(context)
        }
        module.xNext = { cursor in
            guard let cursor, let table = cursor.pointee.pVtab else { return SQLITE_INTERNAL }
            return TableCursor.at(cursor).pointee.advance(TableInstance.context(of: table))
        }
        module.xEof = { cursor in
            cursor.map { TableCursor.at($0).pointee.rows == nil ? 1 : 0 } ?? 1
        }
        module.xColumn = { cursor, context, index in
            if let cursor, let rows = TableCursor.at(cursor).pointee.rows {
                sqlite3_result_value(context, sqlite3_column_value(rows.handle, index))
            }
            return SQLITE_OK
        }
        module.xRowid = { cursor, number in
            if let cursor {
                number?.pointee = TableCursor.at(cursor).pointee.number
            }
            return SQLITE_OK
        }
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        pointer.initialize(to: module)
        return UnsafePointer(pointer)
    }()

    /// Chooses what to narrow. The order of values is that of ``request(_:_:_:)``.
    static func plan(_ table: VirtualTable, _ info: UnsafeMutablePointer<sqlite3_index_info>) -> Int32 {
        var plan = VirtualTable.Plan()
        var chosen: [(rank: Int, constraint: Int)] = []
        var rows = 10_000_000.0
        func choose(_ rank: Int, _ constraint: Int) -> Bool {
            guard !chosen.contains(where: { $0.rank == rank }) else { return false }
            chosen.append((rank, constraint))
            return true
        }
        for index in 0..<Int(info.pointee.nConstraint) {
            let constraint = info.pointee.aConstraint[index]
            let column = Int(constraint.iColumn)
            guard constraint.usable != 0, table.columns.indices.contains(column) else { continue }
            if column == table.rangeColumn {
                switch Int32(constraint.op) {
                case SQLITE_INDEX_CONSTRAINT_EQ where choose(0, index):
                    plan.isExact = true
                    rows /= 1_000_000
                case SQLITE_INDEX_CONSTRAINT_GE where choose(1, index),
                    SQLITE_INDEX_CONSTRAINT_GT where choose(1, index):
                    plan.hasLower = true
                    rows /= 10
                case SQLITE_INDEX_CONSTRAINT_LE where choose(2, index),
                    SQLITE_INDEX_CONSTRAINT_LT where choose(2, index):
                    plan.hasUpper = true
                    rows /= 10
                default: break
                }
            } else if table.equalColumns.contains(column), Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ,
                // Another collation finds more than the one text.
                sqlite3_stricmp(sqlite3_vtab_collation(info, Int32(index)), "BINARY") == 0, choose(3 + column, index)
            {
                plan.narrow(column)
                rows /= 2
            }
        }
        for (position, entry) in chosen.sorted(by: { $0.rank < $1.rank }).enumerated() {
            info.pointee.aConstraintUsage[entry.constraint].argvIndex = Int32(position + 1)
        }
        for column in table.columns.indices where info.pointee.colUsed >> UInt64(column) & 1 != 0 {
            plan.use(column)
        }
        if info.pointee.nOrderBy == 1, Int(info.pointee.aOrderBy[0].iColumn) == table.rangeColumn {
            plan.order = info.pointee.aOrderBy[0].desc != 0 ? .descending : .ascending
            info.pointee.orderByConsumed = 1
        }
        info.pointee.idxNum = plan.number
        info.pointee.estimatedCost = rows
        info.pointee.estimatedRows = Int64(rows)
        return SQLITE_OK
    }

    /// What is asked for. A value of another type than its column's narrows nothing.
    static func request(
        _ table: VirtualTable, _ plan: VirtualTable.Plan, _ values: UnsafeBufferPointer<OpaquePointer?>
    ) -> VirtualTable.Request {
        var request = VirtualTable.Request(isUsed: table.columns.indices.map(plan.uses))
        request.order = plan.order
        var rest = values.makeIterator()
        if plan.isExact, let value = rest.next() ?? nil {
            request.lower = integer(value)
            request.upper = request.lower
        }
        if plan.hasLower, let value = rest.next() ?? nil, let bound = integer(value) {
            request.lower = max(bound, request.lower ?? bound)
        }
        if plan.hasUpper, let value = rest.next() ?? nil, let bound = integer(value) {
            request.upper = min(bound, request.upper ?? bound)
        }
        for column in table.columns.indices where plan.isEqual(column) {
            if let value = rest.next() ?? nil, sqlite3_value_type(value) == SQLITE_TEXT,
                let start = sqlite3_value_text(value)
            {
                let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
                request.equal[column] = String(validating: bytes, as: UTF8.self)
            }
        }
        if let lower = request.lower, let upper = request.upper, lower > upper {
            request.isEmpty = true
        }
        return request
    }

    private static func integer(_ value: OpaquePointer) -> Int64? {
        sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
    }
}
