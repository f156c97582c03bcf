// SPDX-License-Identifier: MIT

import DBus
import Testing

/// The code of the error that `body` ends with; nil if it ends without one.
func errorCode(_ body: () throws -> Void) -> ErrorName? {
    error(from: body)?.code
}

/// The error that `body` ends with; nil if it ends without one.
func error(from body: () throws -> Void) -> DBusError? {
    do {
        try body()
        return nil
    } catch let error as DBusError {
        return error
    } catch {
        Issue.record("an error of another kind: \(error)")
        return nil
    }
}

/// Numbers that look random and are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    // SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
