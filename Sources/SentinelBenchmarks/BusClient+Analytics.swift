// SPDX-License-Identifier: MIT

import BenchmarkClient

/// Calls of `org.sentinel.Analytics1`.
extension BusClient {
    /// Asks a question about a window in microseconds since the epoch, one time after the other, and returns each round
    /// trip in microseconds.
    func askSerially(_ question: benchmark_question, of window: Range<Int64>, count: Int) throws -> [Double] {
        let window = benchmark_window(start: window.lowerBound, end: window.upperBound)
        return try timing(count) { benchmark_client_ask_serially(client, question, window, Int64(count), $0) }
    }
}
