// SPDX-License-Identifier: MIT

import SentinelModels

/// All that is wrong with a set of preferences, told in one error.
struct PreferenceProblems {
    /// So many are told; the rest are counted.
    private static let toldCount = 20

    /// Those that are told.
    private var errors: [SentinelError] = []
    private var count = 0

    /// Adds one.
    mutating func add(_ error: SentinelError) {
        count += 1
        if errors.count < Self.toldCount {
            errors.append(error)
        }
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
        guard count > 1 else { throw first }
        let told = errors.map(\.message).joined(separator: "; ")
        let rest = count - errors.count
        throw SentinelError(first.code, rest > 0 ? "\(told); and \(rest) more" : told)
    }
}
