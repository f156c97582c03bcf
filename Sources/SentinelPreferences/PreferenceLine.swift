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

    private var items = Queue<Item>()
    /// Steps that come before those and are to be taken alone, since they could not be stored together; the next is the
    /// last.
    private var singles: [Item] = []

    var isEmpty: Bool { singles.isEmpty && items.isEmpty }

    mutating func add(_ item: Item) {
        items.append(item)
    }

    /// Puts steps back that could not be stored together.
    mutating func putBack(_ steps: [Item]) {
        singles += steps.reversed()
    }

    /// Takes the next work, or the next steps that can be stored together.
    mutating func takeNext() -> [Item] {
        if let single = singles.popLast() { return [single] }
        guard let first = items.popFirst() else { return [] }
        guard case .step = first else { return [first] }
        var group = [first]
        while group.count < Self.largestGroup, case .step? = items.first, let next = items.popFirst() {
            group.append(next)
        }
        return group
    }

    mutating func takeAll() -> [Item] {
        defer { self = PreferenceLine() }
        return singles.reversed() + items.elements
    }
}
