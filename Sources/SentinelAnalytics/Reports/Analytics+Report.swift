// SPDX-License-Identifier: MIT

import SentinelModels
public import SentinelPersistence

extension Analytics {
    /// Writes a report on a window: its totals and parts, types and applications by the time they took, the hours of the
    /// week, the newest 50 sessions, and its last day against the 7 before.
    ///
    /// - Parameters:
    ///   - zone: name of the time zone of days and hours; `""` for the session's.
    ///   - completion: gets at most about 300 KB of HTML or text; JSON has all types.
    ///     `invalidArgs` for what is no zone. What is to be answered at once does not wait for it.
    public func report(
        of window: Range<Int64>, as format: ReportFormat, in zone: String, cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<String>
    ) {
        let now = clock.now()
        store.summarize(isLong: true, cancellation: cancellation) { [zones] reading in
            try reading.report(of: window, in: try zones.zone(zone), now)
        } completion: { result in
            completion(result.map { $0.text(as: format) })
        }
    }
}

extension ReportData {
    /// The report.
    func text(as format: ReportFormat) -> String {
        switch format {
        case .html: HTMLReport(data: self).text
        case .text: TextReport(data: self).text
        case .json: json.serialized() + "\n"
        }
    }
}
