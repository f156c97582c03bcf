// SPDX-License-Identifier: MIT

import Foundation

/// Times for events that are to stay: what is older than 90 days goes, which the service sees to at its start.
enum RecentTime {
    /// A whole second of the day before the tests began, in microseconds since the Unix epoch.
    static let start = Int64(Date().timeIntervalSince1970 - 86_400) * 1_000_000
}
