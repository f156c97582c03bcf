// SPDX-License-Identifier: MIT

import CSQLite

/// Prepared statements that nobody uses at the moment, by their text. The least recently used one goes first.
struct StatementCache {
    /// The text compared by its bytes: to Swift's `==` two texts may be one that differ in a literal's composition.
    private struct Key: Hashable {
        let sql: String

        static func == (left: Key, right: Key) -> Bool {
            left.withBytes { left in
                right.withBytes { right in left.elementsEqual(right) }
            }
        }

        func hash(into hasher: inout Hasher) {
            withBytes { hasher.combine(bytes: $0) }
        }

        private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            var copy = sql
            return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }

    private struct Entry {
        let handle: OpaquePointer
        let used: UInt64
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Takes an idle statement out.
    mutating func take(_ sql: String) -> OpaquePointer? {
        entries.removeValue(forKey: Key(sql: sql))?.handle
    }

    /// Puts a statement back, reset and without bindings, or finalizes it where there is one of its text already.
    mutating func put(_ handle: OpaquePointer, for sql: String) {
        let key = Key(sql: sql)
        guard capacity > 0, entries[key] == nil else {
            sqlite3_finalize(handle)
            return
        }
        // The result repeats that of the last step, which its caller has had.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        uses += 1
        entries[key] = Entry(handle: handle, used: uses)
        if entries.count > capacity, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
            entries.removeValue(forKey: oldest.key)
            sqlite3_finalize(oldest.value.handle)
        }
    }

    mutating func removeAll() {
        for entry in entries.values {
            sqlite3_finalize(entry.handle)
        }
        entries.removeAll()
    }
}
