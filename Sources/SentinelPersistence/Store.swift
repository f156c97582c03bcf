// SPDX-License-Identifier: MIT

public import SentinelModels

/// Everything that Sentinel keeps, in one SQLite database.
///
/// Writes are queued and committed in groups; a completion is called on the store's queue once its write is on disk, or
/// with why it is not. At most 4 096 calls wait, further ones fail with `limitsExceeded`.
///
/// A store always opens. What it cannot do as it should, ``health`` tells: a damaged database is set aside with its
/// date, and what can be read from it goes to a new one; where nothing can be written, the store reads what is there or
/// keeps things in memory, and tries again with the next write.
public final class Store: Sendable {
    let writer: Writer

    /// Opens the store, in time that does not depend on its size. Waits for the disk.
    public static func open(location: StoreLocation, clock: WallClock = .system) -> Store {
        Store(Writer(location: location, clock: clock))
    }

    init(_ writer: Writer) {
        self.writer = writer
    }

    /// How the store fares. Can be read from any thread.
    public var health: StoreHealth {
        writer.health
    }

    /// Sets what is called when the health changes, on the store's queue.
    public func onHealthChange(_ handler: @escaping @Sendable (StoreHealth) -> Void) {
        writer.onHealthChange(handler)
    }

    /// Sets what is called when another database has been taken into use than the one before: the wanted one, after
    /// memory or reading alone had to do, or the successor of a damaged one. Settings may be others then, and events
    /// may be open that were when the database was last used. Called on the store's queue.
    public func onDatabaseChange(_ handler: @escaping @Sendable () -> Void) {
        writer.onDatabaseChange(handler)
    }

    /// Commits what was handed in before and closes the database. Calls after it fail with `unavailable`; a second one
    /// does nothing. Not to be called from a completion.
    public func close() {
        writer.close()
    }

    /// Waits for calls that have come since ``close()``, until each has failed and is let go of: for the end of a
    /// process, once nobody calls any more. Not to be called from a completion.
    public func waitForRefusals() {
        writer.waitForRefusals()
    }
}
