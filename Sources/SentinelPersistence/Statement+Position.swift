// SPDX-License-Identifier: MIT

import SQLite

extension Statement {
    /// Where something stands among what was declared with it: a column's integer, no less than 0 and so small, whatever
    /// the database says, that there is always a next one.
    func position(_ index: Int) throws(SQLiteError) -> Int64 {
        min(max(try column(index), 0), 1 << 62)
    }
}
