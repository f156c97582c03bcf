// SPDX-License-Identifier: MIT

/// The file that is to be read.
struct ReadSource: Sendable {
    let path: String
    /// Which of the databases that a store has taken into use it is.
    let generation: Int
}
