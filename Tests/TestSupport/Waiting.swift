// SPDX-License-Identifier: MIT

/// How long a test waits for what must come: far longer than that takes, so that no busy machine fails a test.
public let patience: Duration = .seconds(60)

/// Waits until a condition holds, which is looked at every few milliseconds.
///
/// - Throws: ``TestSupportError`` that names `what` if the time is over before.
public func waitUntil(
    _ what: String, within limit: Duration = patience, isolation: isolated (any Actor)? = #isolation,
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

/// Whether something takes less than a time in one of three tries: what else the machine does only makes it longer.
///
/// - Parameters:
///   - limit: the time that it must stay below.
///   - time: does it, and tells how long it took.
public func takesLess(
    than limit: Duration, isolation: isolated (any Actor)? = #isolation, _ time: () async throws -> Duration
) async rethrows -> Bool {
    for _ in 0..<3 where try await time() < limit {
        return true
    }
    return false
}
