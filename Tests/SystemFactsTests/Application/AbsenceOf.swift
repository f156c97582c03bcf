// SPDX-License-Identifier: MIT

import SystemFacts

/// The absence that an operation ends in; nil where it does not.
func absence<Value>(_ body: () throws(Absence) -> Value) -> Absence? {
    do throws(Absence) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
