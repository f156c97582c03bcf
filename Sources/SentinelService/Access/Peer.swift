// SPDX-License-Identifier: MIT

import SystemFacts

/// A process on the bus, as the bus and the kernel tell.
struct Peer: Sendable {
    /// 0 if the bus does not know it.
    let processID: UInt32
    let userID: UInt32
    let sandbox: Sandbox
}
