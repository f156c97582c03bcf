// SPDX-License-Identifier: MIT

import Glibc

/// A point in time, in microseconds since the Unix epoch, UTC.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// The earliest one, 1972-02-01: since then all time zones are whole quarters of an hour away from UTC.
    public static let earliest = Timestamp(unchecked: 65_750_400_000_000)

    /// The latest one, 2200-01-01.
    public static let latest = Timestamp(unchecked: 7_258_118_400_000_000)

    /// Microseconds since 1970-01-01T00:00:00Z, as stored and sent.
    public let microseconds: Int64

    /// The timestamp that many microseconds after the epoch.
    ///
    /// - Throws: `invalidArgs` outside `earliest … latest`.
    public init(microseconds: Int64) throws(SentinelError) {
        guard (Self.earliest.microseconds...Self.latest.microseconds).contains(microseconds) else {
            throw SentinelError(
                .invalidArgs,
                "time \(microseconds) is out of range: microseconds since 1970 between 1972-02-01 and 2200-01-01 are "
                    + "allowed")
        }
        self.microseconds = microseconds
    }

    /// The timestamp nearest to that many microseconds after the epoch.
    public init(clamping microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.earliest.microseconds), Self.latest.microseconds)
    }

    private init(unchecked microseconds: Int64) {
        self.microseconds = microseconds
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension Timestamp: CustomStringConvertible {
    /// ISO 8601 in UTC with six decimals: `2026-11-30T05:10:00.000000Z`.
    public var description: String {
        "\(date)T\(time(separator: ":")).\((microseconds % 1_000_000).padded(to: 6))Z"
    }

    /// UTC to the second in a form that suits a file's name and sorts by time: `2026-11-30T05-10-00Z`.
    public var fileNameComponent: String {
        "\(date)T\(time(separator: "-"))Z"
    }

    private var components: tm {
        var seconds = time_t(microseconds / 1_000_000)
        var result = tm()
        gmtime_r(&seconds, &result)
        return result
    }

    private var date: String {
        let components = components
        let parts = [components.tm_year + 1900, components.tm_mon + 1, components.tm_mday]
        return parts.map { Int64($0).padded(to: 2) }.joined(separator: "-")
    }

    private func time(separator: String) -> String {
        let components = components
        let parts = [components.tm_hour, components.tm_min, components.tm_sec]
        return parts.map { Int64($0).padded(to: 2) }.joined(separator: separator)
    }
}
