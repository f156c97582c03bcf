// SPDX-License-Identifier: MIT

import SentinelModels

/// The duration of an event in seconds, as the bus and files have it.
enum EventDuration {
    /// The seconds of a duration in microseconds; -1 for none.
    static func seconds(_ microseconds: Int64?) -> Double {
        microseconds.map { Double($0) / 1_000_000 } ?? -1
    }

    /// The microseconds of a duration in seconds; nil for none, which is -1.
    ///
    /// - Throws: code `invalidArgs` for what is neither -1 nor 0 to 30 days.
    static func microseconds(_ seconds: Double) throws(SentinelError) -> Int64? {
        guard seconds != -1 else { return nil }
        let longest = Double(Event.longestDuration) / 1_000_000
        guard seconds >= 0, seconds <= longest else {
            throw SentinelError(
                .invalidArgs, "duration: expected seconds from 0 to \(Int64(longest)) (30 days), or -1 for none")
        }
        return Int64((seconds * 1_000_000).rounded())
    }
}
