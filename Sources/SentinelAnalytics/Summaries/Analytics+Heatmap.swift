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
        let (start, end) = (max(window.lowerBound, extent.lowerBound), min(window.upperBound, extent.upperBound))
        guard start < end else { return counts }
        func add(_ count: Int64, at time: Int64) {
            let hour = (time.floored(by: Self.hour) + 3 * 24).modulo(168)
            let (sum, isTooLarge) = counts[Int(hour)].addingReportingOverflow(UInt64(clamping: count))
            counts[Int(hour)] = isTooLarge ? .max : sum
        }
        for stretch in zone.stretches(from: start, to: end) {
            let offset = stretch.offset * Zone.second
            let length = offset.modulo(Self.hour) == 0 ? Self.hour : Self.hour / 4
            let first = (stretch.start + length - 1).floored(by: length) * length
            let last = stretch.end.floored(by: length) * length
            guard first <= last else {
                add(try rollups.total(from: stretch.start, to: stretch.end).count, at: stretch.start + offset)
                continue
            }
            // Parts of an hour at both ends, which no row tells.
            for (from, to) in [(stretch.start, first), (last, stretch.end)] where from < to {
                add(try rollups.total(from: from, to: to).count, at: from + offset)
            }
            try forEachCount(byHours: length == Self.hour, from: first, to: last) { start, count in
                add(count, at: start + offset)
            }
        }
        return counts
    }

    private static let hour: Int64 = 3600 * Zone.second
}
