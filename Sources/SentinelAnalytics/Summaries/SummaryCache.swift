// SPDX-License-Identifier: MIT

import Locking
import SentinelPersistence

/// The summaries of days that were asked for, as long as nothing is written that they cover.
final class SummaryCache: Sendable {
    private struct Key: Hashable {
        var day: CalendarDay
        var zone: String
    }

    /// A summary that is being made: what is written meanwhile may be in it or not.
    struct Making: Sendable {
        fileprivate var number: UInt64
    }

    private struct State {
        var summaries: [Key: DailySummary] = [:]
        /// Whether, and when, something was written since a making began.
        var changes: [UInt64: ChangedTimes] = [:]
        var lastNumber: UInt64 = 0
    }

    private static let most = 64

    private let state = Guarded(State())

    /// The summary of a day, nil where it is to be made.
    func summary(of day: CalendarDay, in zone: String) -> DailySummary? {
        state.withLock { $0.summaries[Key(day: day, zone: zone)] }
    }

    /// The summary of the day that a time is in, nil where it is to be made.
    func summary(at time: Int64, in zone: String) -> DailySummary? {
        state.withLock { state in
            state.summaries.first { $0.key.zone == zone && $0.value.summary.window.contains(time) }?.value
        }
    }

    /// Notes that a summary is about to be made.
    func begin() -> Making {
        state.withLock { state in
            state.lastNumber += 1
            state.changes[state.lastNumber] = ChangedTimes.none
            return Making(number: state.lastNumber)
        }
    }

    /// Keeps what was made, unless something was written meanwhile that it covers. Nil where nothing is to be kept.
    func end(_ making: Making, with summary: DailySummary?) {
        state.withLock { state in
            let changes = state.changes.removeValue(forKey: making.number) ?? .all
            guard let summary, !changes.touch(summary.summary.window) else { return }
            if state.summaries.count >= Self.most {
                state.summaries = [:]
            }
            state.summaries[Key(day: summary.day, zone: summary.zone)] = summary
        }
    }

    /// Takes note of what was written.
    func note(_ times: ChangedTimes) {
        state.withLock { state in
            for number in state.changes.keys {
                state.changes[number]?.formUnion(times)
            }
            // Most changes touch none of them.
            for (key, summary) in state.summaries where times.touch(summary.summary.window) {
                state.summaries[key] = nil
            }
        }
    }
}
