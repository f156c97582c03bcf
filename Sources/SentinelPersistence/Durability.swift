// SPDX-License-Identifier: MIT

/// How long what a call writes must last.
enum Durability: Sendable {
    /// As long as the disk. Where that cannot be, the call fails.
    case disk
    /// As long as the store is open, where the disk cannot be used; it goes to the disk as soon as that can.
    case session
}
