// SPDX-License-Identifier: MIT

import BenchmarkClient

/// A program in C that stores events as the service does, with sqlite3 and nothing else.
final class EventLoopInC {
    private let store: OpaquePointer

    /// Makes a database with the tables of one that the service has made.
    ///
    /// - Parameter isBare: whether rows of events alone are written, nothing that follows from them.
    /// - Throws: ``BenchmarkError`` with code `unavailable`.
    init(path: String, model: String, isBare: Bool) throws {
        guard let store = benchmark_store_create() else {
            throw BenchmarkError(code: .unavailable, message: "no memory for a store")
        }
        self.store = store
        guard benchmark_store_open(store, path, model, isBare ? benchmark_store_bare : benchmark_store_whole) else {
            throw failure(.unavailable)
        }
    }

    deinit {
        benchmark_store_destroy(store)
    }

    /// Stores events of a set in transactions of `size` events each, and returns the microseconds of each.
    func record(_ set: benchmark_event_set, from first: Int, size: Int, count: Int) throws -> [Double] {
        let nanoseconds = try [Int64](unsafeUninitializedCapacity: count) { durations, initializedCount in
            durations.initialize(repeating: 0)
            initializedCount = count
            guard
                benchmark_store_record(
                    store, set, Int64(first), Int64(size), Int64(count), durations.baseAddress)
            else {
                throw failure(.failed)
            }
        }
        return nanoseconds.map { Double($0) / 1_000 }
    }

    private func failure(_ code: BenchmarkError.Code) -> BenchmarkError {
        BenchmarkError(code: code, message: "the loop in C: \(String(cString: benchmark_store_error(store)))")
    }
}
