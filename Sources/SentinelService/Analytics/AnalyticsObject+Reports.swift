// SPDX-License-Identifier: MIT

import DBus
import SentinelAnalytics
import SentinelInterfaces
import SentinelModels

// MARK: - Reports

extension AnalyticsObject {
    func report(
        file: FileDescriptor, format: String, start: Int64, end: Int64, options: [Key: Value], reply: Reply<>
    ) {
        reply.attempt {
            let (window, format, zone) = try Self.report(format, start, end, options)
            let client = try reply.call.client
            let file = try TransferFile(file, for: .writing)
            try transfers.admit(client)
            try beginAsking(client)
            let writing = ReportWriting(
                to: file, analytics, window, format, zone,
                completion: loop.completion { [weak self] result in
                    self?.transfers.end(of: client)
                    self?.endAsking(client)
                    reply.attempt {
                        try result.get()
                        reply()
                    }
                })
            transfers.begin(writing, of: client)
        }
    }

    func reportText(format: String, start: Int64, end: Int64, options: [Key: Value], reply: Reply<String>) {
        reply.attempt {
            let (window, format, zone) = try Self.report(format, start, end, options)
            try answerAlone(reply) {
                reply($0)
            } _: { cancellation, completion in
                analytics.report(
                    of: window, as: format, in: zone, cancellation: cancellation, completion: completion)
            }
        }
    }

    private static func report(
        _ format: String, _ start: Int64, _ end: Int64, _ options: [Key: Value]
    ) throws -> (window: Range<Int64>, format: ReportFormat, zone: String) {
        (
            try window(start, end), try choice(format, "format", of: ReportFormat.self),
            try options.option("time_zone", as: String.self) ?? ""
        )
    }
}
