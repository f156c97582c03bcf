// SPDX-License-Identifier: MIT

import BenchmarkClient

/// Calls of `org.sentinel.Events1`, and of what is measured beside it.
extension BusClient {
    /// Records events of a set with `RecordBatch`, in `count` calls of `size` events each, and returns the seconds from
    /// the first call to the last reply.
    func recordBatches(
        of set: benchmark_event_set, from first: Int, size: Int, count: Int, outstanding: Int
    ) throws -> Double {
        try timing {
            benchmark_client_record_batches(
                client, set, Int64(first), Int64(size), Int64(count), Int64(outstanding), $0)
        }
    }

    /// Records events of now with `Record`, one after the other, and returns each round trip in microseconds.
    func recordSerially(count: Int) throws -> [Double] {
        try timing(count) { benchmark_client_record_serially(client, Int64(count), $0) }
    }

    /// Records events of now with `Record`, as many of the calls unanswered as `outstanding` says, and returns the
    /// seconds from the first call to the last reply.
    func recordPipelined(count: Int, outstanding: Int) throws -> Double {
        try timing { benchmark_client_record_pipelined(client, Int64(count), Int64(outstanding), $0) }
    }

    /// Asks for the newest events with `Query`, one time after the other, and returns each round trip in microseconds.
    func querySerially(limit: Int, count: Int) throws -> [Double] {
        try timing(count) { benchmark_client_query_serially(client, UInt32(limit), Int64(count), $0) }
    }

    /// Records events with Zeitgeist's `InsertEvents`, one a call; numbers from `first` on must be new ones.
    func insertPipelined(from first: Int, count: Int, outstanding: Int) throws -> Double {
        try timing {
            benchmark_client_insert_pipelined(client, Int64(first), Int64(count), Int64(outstanding), $0)
        }
    }

    /// Begins an export of all events into an open file.
    func beginExport(into file: Int32) throws {
        guard benchmark_client_begin_export(client, file) else {
            throw failure(.failed)
        }
    }

    /// Returns how many events an export has written, `nil` while it is under way.
    func pollExport() throws -> Int? {
        var hasEnded = false
        var exported: UInt64 = 0
        guard benchmark_client_poll_export(client, &hasEnded, &exported) else {
            throw failure(.failed)
        }
        return hasEnded ? Int(exported) : nil
    }
}
