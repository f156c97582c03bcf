// SPDX-License-Identifier: MIT

import Dispatch
import SentinelAnalytics
import SentinelModels
import SentinelPersistence

/// Writes a report into a file, on a queue of its own that may wait for the file.
final class ReportWriting: Transfer {
    private let queue = DispatchQueue(label: "org.sentinel.report", qos: .utility)
    private let file: TransferFile
    private let analytics: Analytics
    private let window: Range<Int64>
    private let format: ReportFormat
    private let zone: String
    private let completion: @Sendable (Result<Void, SentinelError>) -> Void
    private let cancellation = ReadCancellation()

    /// - Parameter completion: called once, on a queue of the report's.
    init(
        to file: TransferFile, _ analytics: Analytics, _ window: Range<Int64>, _ format: ReportFormat, _ zone: String,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        self.file = file
        self.analytics = analytics
        self.window = window
        self.format = format
        self.zone = zone
        self.completion = completion
    }

    func start() {
        queue.async { [self] in
            do throws(SentinelError) {
                // A report need not be made for what it cannot be written to.
                try file.check()
            } catch {
                return completion(.failure(error))
            }
            analytics.report(of: window, as: format, in: zone, cancellation: cancellation) { [self] report in
                queue.async { [self] in
                    completion(Result { () throws(SentinelError) in try file.write(Array(try report.get().utf8)) })
                }
            }
        }
    }

    func cancel() {
        cancellation.cancel()
        file.cancel()
    }
}
