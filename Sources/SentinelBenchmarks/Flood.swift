// SPDX-License-Identifier: MIT

import Foundation

/// Signals that fire a trigger, sent by a client on a thread of its own.
final class Flood: @unchecked Sendable {
    private let application: String
    private let count: Int
    private let rate: Int?
    private let address: String
    private let lock = NSLock()
    /// What came of it, which the lock guards; nil until it has ended.
    private var outcome: Result<Double, any Error>?

    /// A flood for an application, of at most so many signals a second, or as many as possible.
    init(_ application: String, count: Int, perSecond rate: Int?, address: String) {
        self.application = application
        self.count = count
        self.rate = rate
        self.address = address
    }

    /// Begins; once.
    func start() {
        Thread.detachNewThread { [self] in
            // A client belongs to the thread that makes it.
            let outcome = Result {
                try BusClient(address: address).flood(application, count: count, perSecond: rate)
            }
            lock.withLock { self.outcome = outcome }
        }
    }

    /// Whether the service has taken all signals, or the flood has failed.
    var hasEnded: Bool {
        lock.withLock { outcome != nil }
    }

    /// Returns the seconds that it took.
    ///
    /// - Throws: ``BenchmarkError`` if it failed or goes on.
    func result() throws -> Double {
        guard let outcome = lock.withLock({ outcome }) else {
            throw BenchmarkError(code: .failed, message: "the signals are still being sent")
        }
        return try outcome.get()
    }
}
