// SPDX-License-Identifier: MIT

import SystemFacts

/// The error that an operation ends in; nil where it does not.
func factError<Value>(_ body: () throws(FactError) -> Value) -> FactError? {
    do throws(FactError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
