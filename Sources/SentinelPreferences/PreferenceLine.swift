// SPDX-License-Identifier: MIT

import SentinelModels

/// What is to be done with an application's preferences, in order: steps that can be stored together, and works that
/// hold up what comes after them until they are over.
struct PreferenceLine {
    /// Tells a step's caller what has become of it: nil once it is stored, else why it is not.
    typealias Finish = @Sendable (SentinelError?) -> Void

    enum Item: Sendable {
        /// Takes a step; what it returns is called once it is known what has become of it.
        case step(@Sendable (inout PreferenceTransaction) -> Finish)
        /// Does something that is over later; it gets what to call then, or why it cannot be done.
        case work(@Sendable (SentinelError?, @escaping @Sendable () -> Void) -> Void)
    }

    /// So many steps are stored together at most.
    private static let largestGroup = 256

    private var items: ArraySlice<Item> = []
    /// How many steps at the head are to be taken alone, since they could not be stored together.
    private var singleCount = 0

    var isEmpty: Bool { items.isEmpty }

    mutating func add(_ item: Item) {
        items.append(item)
    }

    /// Puts steps back that could not be stored together.
    mutating func putBack(_ steps: [Item]) {
        items = steps + items
        singleCount += steps.count
    }

    /// Takes the next work, or the next steps that can be stored together.
    mutating func takeNext() -> [Item] {
        guard let first = items.popFirst() else { return [] }
        guard case .step = first else { return [first] }
        if singleCount > 0 {
            singleCount -= 1
            return [first]
        }
        var group = [first]
        while group.count < Self.largestGroup, let next = items.first, case .step = next {
            group.append(next)
            items.removeFirst()
        }
        return group
    }

    mutating func takeAll() -> [Item] {
        defer { items = [] }
        singleCount = 0
        return Array(items)
    }
}
