// SPDX-License-Identifier: MIT

/// Events of one source folded into runs, in order of time: an event that starts no more than the gap after the latest
/// end before it belongs to the run before it.
///
/// Runs stand for their events wherever more are folded in: the runs of two sets of events, folded, are the runs of
/// both sets together. Only taking an event away needs the others themselves.
struct SessionRuns: Hashable, Sendable {
    /// The gap of summaries, in microseconds. With it, events that start in one quarter make at most three runs.
    static let summaryGap: Int64 = 300 * 1_000_000

    /// A longest row of events in which none starts more than the gap after the latest end before it.
    struct Run: Hashable, Sendable {
        /// Start of its first event, in microseconds since the epoch.
        var start: Int64
        /// Latest end of its events.
        var end: Int64
    }

    /// The runs, the earliest first.
    private(set) var runs: [Run] = []

    var isEmpty: Bool { runs.isEmpty }

    /// The latest end of all events.
    var latestEnd: Int64? { runs.last?.end }

    /// Folds in an event, or another run, that starts at any time.
    mutating func insert(_ run: Run, gap: Int64 = summaryGap) {
        guard let last = runs.last, run.start < last.start else {
            append(run, gap: gap)
            return
        }
        let later = runs.partitioningIndex { $0.start > run.start }
        let rest = runs[later...]
        runs.removeSubrange(later...)
        append(run, gap: gap)
        for run in rest {
            append(run, gap: gap)
        }
    }

    /// Folds in a run that starts no earlier than the last one here.
    private mutating func append(_ run: Run, gap: Int64) {
        if let last = runs.indices.last, run.start - runs[last].end <= gap {
            runs[last].end = max(runs[last].end, run.end)
        } else {
            runs.append(run)
        }
    }

    mutating func insert(_ other: SessionRuns, gap: Int64 = summaryGap) {
        for run in other.runs {
            insert(run, gap: gap)
        }
    }
}

// MARK: Stored form

extension SessionRuns {
    /// For each run the time since the end before it, or since the unit's start, then its length: numbers of seven bits
    /// a byte, the least first, the eighth bit set where another follows.
    func encoded(in unit: RollupUnit) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(runs.count * 10)
        var time = unit.start
        for run in runs {
            Self.append(run.start - time, to: &bytes)
            Self.append(run.end - run.start, to: &bytes)
            time = run.end
        }
        return bytes
    }

    /// Reads the stored form; nil where it is not that of runs of this unit.
    init?(encoded bytes: [UInt8], in unit: RollupUnit) {
        var position = bytes.startIndex
        var time = unit.start
        while position < bytes.endIndex {
            guard let distance = Self.number(in: bytes, at: &position),
                let length = Self.number(in: bytes, at: &position),
                runs.isEmpty || distance > Self.summaryGap
            else { return nil }
            let start = time + distance
            guard start < unit.end else { return nil }
            time = start + length
            runs.append(Run(start: start, end: time))
        }
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: number)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Seven bytes hold any distance and length; with no more, sums of them do not overflow.
    private static func number(in bytes: [UInt8], at position: inout Int) -> Int64? {
        var number: Int64 = 0
        for shift in stride(from: Int64(0), to: 49, by: 7) {
            guard position < bytes.endIndex else { return nil }
            let byte = bytes[position]
            position += 1
            number |= Int64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}
