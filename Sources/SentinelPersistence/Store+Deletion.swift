// SPDX-License-Identifier: MIT

import Dispatch
import SQLite
public import SentinelModels

/// What deletes, deletes for good: a completion is called, on the store's queue, once nothing of the events is left in
/// the database's files, their names included where no other event has them. Copies of the database that were made
/// before a migration or set aside as damaged go as well. Where others who read the database hold this up for two
/// seconds, it fails with `timeout`; the events are deleted all the same, and overwritten later.
///
/// At most 64 deletions wait, further ones fail with `limitsExceeded`.
///
/// Deletion works in steps, between which others write; an event that is stored meanwhile may be left. Where a step
/// fails, what the steps before it deleted is overwritten as well.
extension Store {
    /// Deletes the events that fit a filter.
    ///
    /// - Parameters:
    ///   - changed: called on the store's queue once events are gone, even where what follows fails.
    ///   - completion: gets how many there were.
    public func deleteEvents(
        _ filter: EventFilter, changed: @escaping @Sendable () -> Void = {},
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.purge(changed, completion) { writer, completion in
            writer.erasing(step: EventRemoval.step(filter), completion: completion)
        }
    }

    /// Deletes the events that begin at a time or later, that reach past it, and those that are open.
    ///
    /// - Parameters:
    ///   - changed: called on the store's queue once events are gone, even where what follows fails.
    ///   - completion: gets how many there were.
    public func forgetEvents(
        since start: Timestamp, changed: @escaping @Sendable () -> Void = {},
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.purge(changed, completion) { writer, completion in
            writer.erasing(step: EventRemoval.step(EventRemoval.filter(from: start))) { result in
                guard case .success(let later) = result else { return completion(result) }
                writer.erasing(step: EventRemoval.stepWithinQuarter(of: start)) { result in
                    guard case .success(let near) = result else { return completion(result) }
                    writer.erasing(step: EventRemoval.stepReaching(past: start)) { result in
                        completion(result.map { later + near + $0 })
                    }
                }
            }
        }
    }

    /// Applies rules to what is stored: deletes what they deny, and takes away the data that they redact.
    ///
    /// - Parameters:
    ///   - changed: called on the store's queue once events are gone or changed, even where what follows fails.
    ///   - completion: gets how many events were deleted or changed.
    public func applyRules(
        _ rules: EventRules, changed: @escaping @Sendable () -> Void = {},
        completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        writer.purge(changed, completion) { writer, completion in
            writer.erasing(step: EventRemoval.step(rules), completion: completion)
        }
    }
}

extension Writer {
    /// Deletes events as a task of its own, then everything that is left of them.
    ///
    /// - Parameter deletion: deletes them.
    fileprivate func purge(
        _ changed: @escaping @Sendable () -> Void,
        _ completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void,
        _ deletion: @escaping @Sendable (Writer, @escaping @Sendable (Result<UInt64, SentinelError>) -> Void) -> Void
    ) {
        do throws(SentinelError) {
            try deletions.take()
        } catch {
            return queue.async { completion(.failure(error)) }
        }
        run { [self] done in
            let finish: @Sendable (Result<UInt64, SentinelError>) -> Void = { [self] result in
                deletions.giveBack()
                completion(result)
                done()
            }
            deletion(self) { [self] result in
                if case .failure = result, !owesErasure { return finish(result) }
                changed()
                giveSpaceBack { [self] space in
                    let copies = failure(of: { () throws(SentinelError) in try removeCopies() })
                    erase { [self] erasure in
                        if erasure.failure != nil {
                            eraseSoon(after: .seconds(1))
                        }
                        let failure = space.failure ?? copies ?? erasure.failure
                        finish(result.flatMap { count in failure.map { .failure($0) } ?? .success(count) })
                    }
                }
            }
        }
    }

    private func failure(of work: () throws(SentinelError) -> Void) -> SentinelError? {
        do throws(SentinelError) {
            try work()
            return nil
        } catch {
            return error
        }
    }

    /// Changes events in steps. Once one has changed something, that is to be overwritten whatever the others come to.
    fileprivate func erasing(
        step: @escaping EventRemoval.Step, completion: @escaping @Sendable (Result<UInt64, SentinelError>) -> Void
    ) {
        let markedStep: EventRemoval.Step = { writer, position in
            let outcome = try step(writer, position)
            if outcome.count > 0 {
                try writer.oweErasure()
            }
            return outcome
        }
        changeEvents(
            step: markedStep, progress: { [self] in (owesErasure, hasErasureMark) = (true, true) },
            completion: completion)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
