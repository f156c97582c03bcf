// SPDX-License-Identifier: MIT

/// A table that SQL can read and that lies in no database: queries of another connection give its rows, narrowed to what
/// a statement asks for.
public struct VirtualTable {
    /// Columns in order, at most 8: names with their types.
    public let columns: [(name: String, type: String)]
    /// The column of integers in whose order rows can be had, and which can be narrowed to a range.
    public let rangeColumn: Int
    /// Columns of text that can be narrowed to one value.
    public let equalColumns: Set<Int>
    /// Prepares the query of a request, with its values bound: its columns are those of the table. The rows may be more
    /// than asked for, as each is looked at once more.
    public let query: (Request) throws(SQLiteError) -> Statement

    /// What a statement asks for.
    public struct Request: Sendable {
        /// Whether each column is used; where one is not, its values do not matter.
        public internal(set) var isUsed: [Bool]
        /// The least value of the column with a range.
        public internal(set) var lower: Int64?
        /// The largest value of it.
        public internal(set) var upper: Int64?
        /// Values of other columns.
        public internal(set) var equal: [Int: String] = [:]
        /// The order of the column with a range: nil for any.
        public internal(set) var order: Order?
        /// Whether no row can be meant.
        var isEmpty = false
    }

    /// An order of rows.
    public enum Order: Sendable {
        case ascending, descending
    }

    /// A table of these columns.
    public init(
        columns: [(name: String, type: String)], rangeColumn: Int, equalColumns: Set<Int>,
        query: @escaping (Request) throws(SQLiteError) -> Statement
    ) {
        precondition(columns.count <= 8 && columns.indices.contains(rangeColumn))
        self.columns = columns
        self.rangeColumn = rangeColumn
        self.equalColumns = equalColumns
        self.query = query
    }
}

extension VirtualTable {
    /// How a statement will use the table, as SQLite remembers it between planning and running.
    struct Plan {
        var number: Int32

        init(number: Int32 = 0) {
            self.number = number
        }

        private subscript(bit: Int32) -> Bool {
            get { number >> bit & 1 != 0 }
            set { number = newValue ? number | 1 << bit : number & ~(1 << bit) }
        }

        var isExact: Bool {
            get { self[16] }
            set { self[16] = newValue }
        }
        var hasLower: Bool {
            get { self[17] }
            set { self[17] = newValue }
        }
        var hasUpper: Bool {
            get { self[18] }
            set { self[18] = newValue }
        }

        var order: Order? {
            get { self[19] ? .ascending : self[20] ? .descending : nil }
            set {
                self[19] = newValue == .ascending
                self[20] = newValue == .descending
            }
        }

        func uses(_ column: Int) -> Bool { self[Int32(column)] }
        mutating func use(_ column: Int) { self[Int32(column)] = true }
        func isEqual(_ column: Int) -> Bool { self[Int32(column + 8)] }
        mutating func narrow(_ column: Int) { self[Int32(column + 8)] = true }
    }
}
