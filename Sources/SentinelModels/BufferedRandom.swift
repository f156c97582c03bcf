// SPDX-License-Identifier: MIT

import Glibc

/// Random numbers from the system, fetched many at a time: where many are wanted, a call of the system for each costs
/// more than what is made of it.
public struct BufferedRandom: RandomNumberGenerator {
    /// As many as the system gives at a time: getentropy(3).
    private static let count = 256 / MemoryLayout<UInt64>.size

    private var numbers: [UInt64] = []

    /// A generator that has fetched nothing yet.
    public init() {}

    public mutating func next() -> UInt64 {
        if numbers.isEmpty {
            fetch()
        }
        return numbers.popLast() ?? .random(in: 0...UInt64.max)
    }

    private mutating func fetch() {
        numbers = [UInt64](unsafeUninitializedCapacity: Self.count) { buffer, count in
            let bytes = Self.count * MemoryLayout<UInt64>.size
            count = getentropy(buffer.baseAddress, bytes) == 0 ? Self.count : 0
        }
    }
}
