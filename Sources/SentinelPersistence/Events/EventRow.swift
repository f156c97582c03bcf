// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// An event's row without its data.
struct EventRow {
    let key: EventKey
    let type: Int64
    let source: Int64
    let duration: Int64?
    let marks: Event.Marks
    let givenID: EventKey?

    /// The columns of a row, in the order in which they are read.
    static let columns = "key, type, source, duration, marks, given_id"

    /// Reads the row at which a query of `columns` is.
    ///
    /// - Throws: `mismatch` where that is no event.
    init(from row: Statement) throws(SQLiteError) {
        key = try row.column(0)
        type = try row.column(1)
        source = try row.column(2)
        duration = try EventSpan.duration(of: row, at: 3)
        let bits: Int64 = try row.column(4)
        marks = Event.Marks(rawValue: UInt8(truncatingIfNeeded: bits))
        givenID = try row.column(5)
    }

    var id: EventID { (givenID ?? key).id }

    /// What the rollups know of it.
    var span: EventSpan {
        EventSpan(key: key, start: key.microseconds, duration: duration, typeID: type, sourceID: source)
    }
}
