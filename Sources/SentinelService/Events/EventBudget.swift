// SPDX-License-Identifier: MIT

/// How many bytes of events may wait to be sent: for each client, and for all together.
///
/// Every client has a reserve that does not count for all, so that clients which read nothing take from those that read
/// no more than what these would not need. Confined to the loop's thread.
final class EventBudget {
    /// So many bytes may wait for one client.
    static let clientLimit = 4 << 20
    /// So many bytes may wait for all clients together beyond their reserves.
    static let sharedLimit = 32 << 20
    /// The largest event fits into it, and what is recorded in a turn of the loop most often does.
    static let reserve = 128 << 10

    private var sharedBytes = 0

    /// Whether events of so many bytes may wait for a client beside those that do.
    func allows(_ count: Int, beside waiting: Int) -> Bool {
        let total = waiting + count
        guard total <= Self.clientLimit else { return false }
        return total <= Self.reserve || sharedBytes + Self.shared(total) - Self.shared(waiting) <= Self.sharedLimit
    }

    /// Notes that other bytes than before wait for a client.
    func change(from before: Int, to after: Int) {
        sharedBytes += Self.shared(after) - Self.shared(before)
    }

    private static func shared(_ count: Int) -> Int { max(count - reserve, 0) }
}
