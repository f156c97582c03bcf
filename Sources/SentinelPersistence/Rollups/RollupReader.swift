// SPDX-License-Identifier: MIT

import SQLite

/// Answers questions about windows of time from the rollups, exact to the microsecond. A window is half-open.
///
/// Each call is several statements: where the database may change meanwhile, a read transaction holds them together.
struct RollupReader {
    /// Which events are meant; nil for any.
    struct Filter {
        /// Numbers of their types.
        var types: Set<Int64>?
        /// Numbers of their sources.
        var sources: Set<Int64>?

        func allows(type: Int64, source: Int64) -> Bool {
            types?.contains(type) ?? true && sources?.contains(source) ?? true
        }
    }

    /// What a window holds.
    struct Tally: Hashable {
        /// How many events start in it.
        var count: Int64 = 0
        /// Microseconds of events in it, those included that started before.
        var duration: Int128 = 0
    }

    /// A type and a source.
    struct Pair: Hashable {
        var type: Int64
        var source: Int64
    }

    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// What a window holds altogether.
    func total(from start: Int64, to end: Int64, filter: Filter = Filter()) throws(SQLiteError) -> Tally {
        Tally()
    }

    /// What a window holds by type, without types that it does not hold.
    func tallies(
        byTypeFrom start: Int64, to end: Int64, filter: Filter = Filter()
    ) throws(SQLiteError) -> [Int64: Tally] {
        [:]
    }

    /// What a window holds by source, without sources that it does not hold.
    func tallies(
        bySourceFrom start: Int64, to end: Int64, filter: Filter = Filter()
    ) throws(SQLiteError) -> [Int64: Tally] {
        [:]
    }

    /// What a window holds by type and source, without pairs that it does not hold.
    func tallies(
        byPairFrom start: Int64, to end: Int64, filter: Filter = Filter()
    ) throws(SQLiteError) -> [Pair: Tally] {
        [:]
    }

    /// How many sessions touch a window, by source: sessions of the gap of summaries.
    func sessionCounts(
        from start: Int64, to end: Int64, sources: Set<Int64>? = nil
    ) throws(SQLiteError) -> [Int64: Int64] {
        [:]
    }
}
