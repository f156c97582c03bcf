// SPDX-License-Identifier: MIT

import BenchmarkClient

/// Signals that fire triggers, and what came of them.
extension BusClient {
    /// Sends signals that fire the trigger of an application, at most so many a second or as fast as possible, and
    /// returns the seconds until the service had taken them all.
    func flood(_ application: String, count: Int, perSecond rate: Int?) throws -> Double {
        let interval = rate.map { 1_000_000_000 / Int64($0) } ?? 0
        return try timing { benchmark_client_flood(client, application, Int64(count), interval, $0) }
    }

    /// Subscribes to what has fired, for ``countTriggered(for:)``.
    func followTriggers() throws {
        guard benchmark_client_follow_triggers(client) else {
            throw failure(.failed)
        }
    }

    /// Returns how many triggers have fired for an application since this was last asked.
    func countTriggered(for application: String) throws -> Int {
        var count: Int64 = 0
        guard benchmark_client_count_triggered(client, application, &count) else {
            throw failure(.failed)
        }
        return Int(count)
    }

    /// Returns how often the cause of a trigger has come since the service started; -1 where it does not tell.
    func countCauses(of trigger: String) throws -> Int {
        var count: Int64 = 0
        guard benchmark_client_count_causes(client, trigger, &count) else {
            throw failure(.failed)
        }
        return Int(count)
    }
}
