// SPDX-License-Identifier: MIT

/// What is wrong with one text, by whoever does not know where it stands.
struct Fault: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
