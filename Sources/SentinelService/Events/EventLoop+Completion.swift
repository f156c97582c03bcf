// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension EventLoop {
    /// A completion for a store, which calls it on a queue of its own: `body` is called on the loop's thread.
    func completion<Success: Sendable>(
        _ body: @escaping @Sendable (Result<Success, SentinelError>) -> Void
    ) -> @Sendable (Result<Success, SentinelError>) -> Void {
        { [self] result in enqueue { body(result) } }
    }
}
