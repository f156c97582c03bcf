// SPDX-License-Identifier: MIT

/// What clocks show in a time zone.
///
/// Offsets are seconds east of UTC, times microseconds since the Unix epoch.
public struct Zone: Sendable {
    /// Its name in the time zone database.
    public let name: String
    private let rules: ZoneRules

    /// Coordinated universal time.
    public static let utc = Zone(name: "UTC", rules: ZoneRules(transitions: [], first: 0, footer: nil))

    init(name: String, rules: ZoneRules) {
        self.name = name
        self.rules = rules
    }

    /// The offset at a time.
    public func offset(at time: Int64) -> Int64 {
        rules.offset(at: time.floored(by: Self.second))
    }

    /// When the offset changes next after a time; nil where it stays.
    public func nextChange(after time: Int64) -> Int64? {
        rules.nextChange(after: time.floored(by: Self.second)).map { $0 * Self.second }
    }

    /// The stretches of a window in which the offset stays, in order.
    public func stretches(from start: Int64, to end: Int64) -> [(start: Int64, end: Int64, offset: Int64)] {
        var stretches: [(start: Int64, end: Int64, offset: Int64)] = []
        var from = start
        while from < end {
            let to = min(nextChange(after: from) ?? end, end)
            stretches.append((from, to, offset(at: from)))
            from = to
        }
        return stretches
    }

    /// The day that clocks show at a time.
    public func day(at time: Int64) -> CalendarDay {
        CalendarDay(daysSinceEpoch: (time + offset(at: time) * Self.second).floored(by: Self.day))
    }

    /// When a day begins: the first moment at which clocks show it or a later one. A day that clocks leave out begins
    /// when the next one does.
    public func start(of day: CalendarDay) -> Int64 {
        // No offset is further from UTC, so that the day before is shown at the beginning of this search.
        let midnight = day.daysSinceEpoch * Self.day
        for stretch in stretches(from: midnight - Self.day, to: midnight + Self.day) {
            let shown = midnight - stretch.offset * Self.second
            if shown < stretch.end {
                return max(shown, stretch.start)
            }
        }
        return midnight - offset(at: midnight + Self.day) * Self.second
    }

    /// Microseconds.
    static let second: Int64 = 1_000_000
    static let day: Int64 = 86_400 * second
}
