// SPDX-License-Identifier: MIT

import BenchmarkClient

/// Calls of `org.sentinel.Preferences1`.
extension BusClient {
    /// Registers as an application.
    func register(_ id: String) throws {
        guard benchmark_client_register(client, id) else {
            throw failure(.failed)
        }
    }

    /// Declares integers of the application whose object is at `path`, in one call: `k0` and so on.
    func declarePreferences(of path: String, count: Int) throws {
        guard benchmark_client_declare(client, path, Int64(count)) else {
            throw failure(.failed)
        }
    }

    /// Subscribes to the changes of all preferences, for ``setAndHear(_:at:from:count:)``.
    func followPreferences() throws {
        guard benchmark_client_follow_preferences(client) else {
            throw failure(.failed)
        }
    }

    /// Sets `k0` to the numbers from `first` on, one after the other, and returns each round trip in microseconds.
    func setSerially(_ path: String, from first: Int, count: Int) throws -> [Double] {
        try timing(count) { benchmark_client_set_serially(client, path, Int64(first), Int64(count), $0) }
    }

    /// Sets `k0` to the numbers from `first` on, as many of the calls unanswered as `outstanding` says, and returns the
    /// seconds from the first call to the last reply.
    func setPipelined(_ path: String, from first: Int, count: Int, outstanding: Int) throws -> Double {
        try timing {
            benchmark_client_set_pipelined(client, path, Int64(first), Int64(count), Int64(outstanding), $0)
        }
    }

    /// Sets `k0` to the numbers from `first` on, one after the other, and returns the microseconds from each call to the
    /// signal at a listener, which follows preferences.
    func setAndHear(_ path: String, at listener: BusClient, from first: Int, count: Int) throws -> [Double] {
        try timing(count) {
            benchmark_client_set_and_hear(client, listener.client, path, Int64(first), Int64(count), $0)
        }
    }
}
