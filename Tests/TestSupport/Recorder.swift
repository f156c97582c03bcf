// SPDX-License-Identifier: MIT

import Foundation

/// Collects what callbacks on other threads bring, in order.
public final class Recorder<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var collected: [Element] = []

    /// Makes an empty recorder.
    public init() {}

    /// Adds an element; callable on every thread.
    public func append(_ element: Element) {
        lock.withLock { collected.append(element) }
    }

    /// What has come so far.
    public var elements: [Element] {
        lock.withLock { collected }
    }

    /// The number of elements that have come so far.
    public var count: Int {
        lock.withLock { collected.count }
    }

    /// Removes and returns what has come so far.
    public func takeAll() -> [Element] {
        lock.withLock {
            defer { collected = [] }
            return collected
        }
    }

    /// Waits until so many elements have come.
    ///
    /// - Returns: all that have come by then.
    /// - Throws: ``TestSupportError`` if the time is over before.
    @discardableResult
    public func wait(
        for count: Int = 1, within limit: Duration = patience, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Element] {
        try await waitUntil("\(count) elements, of which \(self.count) came", within: limit) { self.count >= count }
        return elements
    }
}
