// SPDX-License-Identifier: MIT

/// When the offset of a time zone from UTC changes, in seconds since the Unix epoch.
struct ZoneRules: Sendable {
    /// A moment from which on an offset holds.
    struct Transition: Hashable, Sendable {
        var time: Int64
        /// Seconds east of UTC.
        var offset: Int64
    }

    /// Ascending by time.
    private let transitions: [Transition]
    /// The offset before all transitions.
    private let first: Int64
    /// What holds after the last one.
    private let footer: ZoneFooter?

    init(transitions: [Transition], first: Int64, footer: ZoneFooter?) {
        self.transitions = transitions
        self.first = first
        self.footer = footer
    }

    func offset(at time: Int64) -> Int64 {
        let index = partition { $0.time > time }
        if index == transitions.count, let footer {
            return footer.offset(at: time)
        }
        return index == 0 ? first : transitions[index - 1].offset
    }

    /// When the offset is another one next; nil where it stays.
    func nextChange(after time: Int64) -> Int64? {
        var offset = offset(at: time)
        for transition in transitions[partition { $0.time > time }...] {
            if transition.offset != offset { return transition.time }
            offset = transition.offset
        }
        // The footer begins to hold with the last transition.
        guard let footer else { return nil }
        var time = max(time, transitions.last?.time ?? .min)
        if footer.offset(at: time) != offset { return time }
        while let next = footer.nextTransition(after: time) {
            if next.offset != offset { return next.time }
            time = next.time
        }
        return nil
    }

    private func partition(_ isAfter: (Transition) -> Bool) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(transitions[middle]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
