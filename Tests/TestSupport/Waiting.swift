// SPDX-License-Identifier: MIT

/// Waits until a condition holds, which is looked at every few milliseconds.
///
/// - Throws: ``TestSupportError`` that names `what` if the time is over before.
public func waitUntil(
    _ what: String, within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            throw TestSupportError("waited \(limit) in vain: \(what)")
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
