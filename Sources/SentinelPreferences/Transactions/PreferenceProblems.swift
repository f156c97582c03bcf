// SPDX-License-Identifier: MIT

import SentinelModels

/// All that is wrong with a set of preferences, told in one error.
struct PreferenceProblems {
    /// So many are told; the rest are counted.
    private static let toldCount = 20

    private var errors: [SentinelError] = []

    /// Adds one.
    mutating func add(_ error: SentinelError) {
        errors.append(error)
    }

    /// Does something, and adds what it throws.
    mutating func collect(_ work: () throws(SentinelError) -> Void) {
        do throws(SentinelError) {
            try work()
        } catch {
            add(error)
        }
    }

    /// Goes on if nothing is wrong.
    ///
    /// - Throws: the first problem's code with all their messages.
    func check() throws(SentinelError) {
        guard let first = errors.first else { return }
        guard errors.count > 1 else { throw first }
        let told = errors.prefix(Self.toldCount).map(\.message).joined(separator: "; ")
        let rest = errors.count - Self.toldCount
        throw SentinelError(first.code, rest > 0 ? "\(told); and \(rest) more" : told)
    }
}
