// SPDX-License-Identifier: MIT

import SentinelModels

/// How many entries of a listing are wanted.
struct PageLimit {
    private static let standard = 100
    private static let largest = 10_000

    let count: Int

    /// Takes an argument `limit`, where 0 means 100.
    ///
    /// - Throws: code `invalidArgs` above 10 000.
    init(_ limit: UInt32) throws(SentinelError) {
        guard limit <= Self.largest else {
            throw SentinelError(.invalidArgs, "limit is at most \(Self.largest), 0 means \(Self.standard)")
        }
        count = limit == 0 ? Self.standard : Int(limit)
    }
}
