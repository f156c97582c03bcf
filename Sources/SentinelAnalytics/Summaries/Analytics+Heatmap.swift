// SPDX-License-Identifier: MIT

public import SentinelPersistence

extension Analytics {
    /// Counts events by the local hour of the week in which they start: 168 counts, Monday 00:00 to 01:00 first.
    ///
    /// - Parameter zone: name of the time zone; `""` for the session's.
    public func heatmap(
        of window: Range<Int64>, in zone: String, cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<[UInt64]>
    ) {
        read(window, cancellation) { [zones] reading in
            try reading.heatmap(of: window, in: try zones.zone(zone))
        } completion: {
            completion($0)
        }
    }
}

extension SummaryReading {
    /// The counts of each hour of the week.
    func heatmap(of window: Range<Int64>, in zone: Zone) throws -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: 168)
        guard let extent = try extent() else { return counts }
        // To whole hours, of which rows tell: parts of one would have to be counted.
        let start = max(window.lowerBound, extent.lowerBound.floored(by: Self.hour) * Self.hour)
        let end = min(window.upperBound, (extent.upperBound.floored(by: Self.hour) + 1) * Self.hour)
        guard start < end else { return counts }
        func add(_ count: Int64, at time: Int64) {
            let hour = (time.floored(by: Self.hour) + 3 * 24).modulo(168)
            let (sum, isTooLarge) = counts[Int(hour)].addingReportingOverflow(UInt64(clamping: count))
            counts[Int(hour)] = isTooLarge ? .max : sum
        }
        for stretch in zone.stretches(from: start, to: end) {
            try forEachCount(in: stretch.start..<stretch.end, offset: stretch.offset * Zone.second, add)
        }
        return counts
    }

    /// Gives `body` how many events of a window start in parts of it of which each lies in one hour of the clock, and a
    /// time that clocks show in that part, as microseconds of a clock of UTC.
    private func forEachCount(
        in window: Range<Int64>, offset: Int64, _ body: (_ count: Int64, _ time: Int64) -> Void
    ) throws {
        // In the hours of some clocks lie quarters of hours of UTC; those of others, before 1980, cut them.
        let length = offset.modulo(Self.hour) == 0 ? Self.hour : Self.hour / 4
        let isCut = offset.modulo(length) != 0
        let first = (window.lowerBound + length - 1).floored(by: length) * length
        let last = window.upperBound.floored(by: length) * length
        func add(from start: Int64, to end: Int64) throws {
            var time = start
            while time < end {
                let next = min(((time + offset).floored(by: Self.hour) + 1) * Self.hour - offset, end)
                body(try rollups.total(from: time, to: next).count, time + offset)
                time = next
            }
        }
        guard first < last else { return try add(from: window.lowerBound, to: window.upperBound) }
        try add(from: window.lowerBound, to: first)
        var cut: [Int64] = []
        try forEachCount(byHours: length == Self.hour, from: first, to: last) { start, count in
            if isCut {
                cut.append(start)
            } else {
                body(count, start + offset)
            }
        }
        for start in Set(cut) {
            try add(from: start, to: start + length)
        }
        try add(from: last, to: window.upperBound)
    }

    private static let hour: Int64 = 3600 * Zone.second
}
