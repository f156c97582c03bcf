// SPDX-License-Identifier: MIT

import Glibc

/// The variables of this process's environment. Of one that is there twice the first counts, as for getenv(3).
func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
        next += 1
        let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, variables[String(parts[0])] == nil {
            variables[String(parts[0])] = String(parts[1])
        }
    }
    return variables
}
