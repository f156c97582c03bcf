// SPDX-License-Identifier: MIT

import Dispatch
import SQLite
public import SentinelModels
import Synchronization

extension Store {
    /// Size of the database with its journal files and copies, after the last commit; of the memory that it takes where
    /// it is there. Can be read from any thread, at once.
    public var storageBytes: UInt64 {
        UInt64(clamping: writer.storageByteCount.load(ordering: .relaxed))
    }

    /// When the oldest copy of the database, set aside as damaged or saved before a migration, is to go with the next
    /// ``expireEvents(before:maxBytes:completion:)``; nil without any.
    ///
    /// - Parameter completion: called on the store's queue.
    public func nextCopyExpiry(completion: @escaping @Sendable (Timestamp?) -> Void) {
        writer.queue.async { [writer] in
            completion(writer.backing?.files?.nextCopyExpiry)
        }
    }

    /// Deletes what is too old, then the oldest events until all fits into a size, and gives the space back to the
    /// file system. Copies of the database go after a week, and before any event does for its size. Works in steps,
    /// between which others write.
    ///
    /// - Parameters:
    ///   - start: events that begin before it are deleted; nil for none.
    ///   - maxBytes: what ``storageBytes`` is to be at most; nil for any size.
    ///   - completion: called on the store's queue with how many events there were.
    public func expireEvents(
        before start: Timestamp?, maxBytes: UInt64?,
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.run { [writer] done in
            writer.expire(before: start) { result in
                guard case .success(let old) = result, let maxBytes else {
                    completion(result)
                    return done()
                }
                writer.shrink(to: Int(clamping: maxBytes)) { result in
                    completion(result.map { old + $0 })
                    done()
                }
            }
        }
    }
}

extension Writer {
    /// Pages that are given back in a step.
    private static let pagesPerStep = 512
    /// With fewer free pages than this, a database is left as it is.
    private static let freePageLimit = 16

    /// Measures the database, wherever it is, and makes its size known to every thread.
    @discardableResult
    func measureStorage() -> Int {
        dispatchPrecondition(condition: .onQueue(queue))
        var size = copyByteCount
        if case .directory(let path) = opener.location {
            size += StoreFiles(directory: path).byteCount
        }
        if let backing, backing.files == nil, let connection = backing.connection {
            do throws(SQLiteError) {
                size += (try connection.pragma("page_count", as: Int.self) ?? 0) * Schema.pageSize
            } catch {
                note(error)
            }
        }
        storageByteCount.store(size, ordering: .relaxed)
        return size
    }

    /// Looks at the copies of the database again.
    func countCopies() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard case .directory(let path) = opener.location else { return }
        copyByteCount = StoreFiles(directory: path).copyByteCount
    }

    /// Removes copies of the database.
    ///
    /// - Parameter now: of when those are removed that have expired; nil for all.
    func removeCopies(expiredAt now: Timestamp? = nil) throws(SentinelError) {
        defer {
            countCopies()
            measureStorage()
        }
        if let now {
            try backing?.files?.removeCopies(expiredAt: now)
        } else {
            try backing?.files?.removeCopies()
        }
    }

    /// Gives the space of free pages back to the file system, as far as it is worth it; the log is to be copied into
    /// the database for that to show.
    func giveSpaceBack(completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void) {
        submitEvents(isLimited: false) { writer in
            let free = try writer.connection.pragma("freelist_count", as: Int.self) ?? 0
            guard free > Self.freePageLimit else { return false }
            try writer.connection.run("PRAGMA incremental_vacuum(\(Self.pagesPerStep))")
            // A database that was made anew without `auto_vacuum` keeps them.
            return try writer.connection.pragma("freelist_count", as: Int.self) ?? 0 < free
        } completion: { [self] result in
            switch result {
            case .success(true): giveSpaceBack(completion: completion)
            case .success(false): completion(.success(()))
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    /// Deletes events that begin before a time, and copies that are old.
    fileprivate func expire(
        before start: Timestamp?, completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        do throws(SentinelError) {
            try removeCopies(expiredAt: opener.clock.now())
        } catch {
            return completion(.failure(error))
        }
        guard let start else { return completion(.success(0)) }
        var filter = EventFilter()
        filter.end = start
        changeEvents(step: EventRemoval.step(filter, .oldestFirst)) { [self] result in
            guard case .success(let count) = result, count > 0 else { return completion(result) }
            settle { completion(.success(count)) }
        }
    }

    /// Deletes the oldest events until all fits into a size.
    fileprivate func shrink(
        to limit: Int, completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        guard measureStorage() > limit else { return completion(.success(0)) }
        // Free pages and the log may be all that is too much.
        settle { [self] in
            guard measureStorage() > limit else { return completion(.success(0)) }
            do throws(SentinelError) {
                try removeCopies()
            } catch {
                return completion(.failure(error))
            }
            // A little less, so that the next event does not cause the same again.
            let other = backing?.files == nil ? 0 : 64 << 10
            let goal = limit - limit / 16 - other
            guard measureStorage() > limit else { return completion(.success(0)) }
            changeEvents(step: Self.shrinkingStep(to: goal)) { [self] result in
                guard case .success(let count) = result, count > 0 else { return completion(result) }
                settle { completion(.success(count)) }
            }
        }
    }

    /// Deletes the oldest events while the pages in use take more than so many bytes.
    private static func shrinkingStep(to limit: Int) -> EventRemoval.Step {
        { writer, position in
            let connection = writer.connection
            let pages = try connection.pragma("page_count", as: Int.self) ?? 0
            let free = try connection.pragma("freelist_count", as: Int.self) ?? 0
            let size = try connection.pragma("page_size", as: Int.self) ?? 0
            let excess = (pages - free) * size - limit
            guard excess > 0 else { return (0, .end) }
            // About as many as are too much, and no more: events differ in size.
            let count = try connection.first("SELECT total(uses) FROM event_types", as: Double.self) ?? 0
            let share = (count * Double(excess) / Double((pages - free) * size)).rounded(.up)
            // Numbers of a damaged database may make it anything.
            let wanted = Int(exactly: min(share, Double(EventRemoval.limit))) ?? 1
            let removal = EventRemoval.step(EventFilter(), .oldestFirst, limit: max(wanted, 1))
            return try removal(writer, position)
        }
    }

    /// Gives space back and truncates the log; what keeps it from that for long does not the next time.
    private func settle(completion: @escaping @Sendable () -> Void) {
        giveSpaceBack { [self] _ in
            truncateLog(until: .now() + limits.erasure, completion)
        }
    }

    private func truncateLog(until deadline: DispatchTime, _ completion: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed, backing?.files != nil, let connection = backing?.connection else { return completion() }
        do throws(SQLiteError) {
            // A checkpoint beside this queue may be under way.
            if try !truncateLog(connection), .now() < deadline {
                queue.asyncAfter(deadline: .now() + .milliseconds(20)) {
                    self.truncateLog(until: deadline, completion)
                }
                return
            }
        } catch {
            note(error)
            publishHealth()
        }
        completion()
    }
}
