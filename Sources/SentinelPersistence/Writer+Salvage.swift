// SPDX-License-Identifier: MIT

import Dispatch
import SQLite
import SentinelModels

extension Writer {
    /// The setting that names the file whose events are still to be salvaged, so that the next start goes on with it.
    static let salvageSetting = "salvage"

    /// Copies the events of the database that was set aside into the one in use, if there is such a database: a task
    /// that others wait for which delete.
    func salvageEvents() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let backing, backing.isWanted, let path = backing.salvage else { return }
        let generation = generation
        run { [self] done in
            guard generation == self.generation else { return done() }
            let worker = DispatchQueue(label: "org.sentinel.store.salvage", qos: .utility)
            worker.async { [self] in
                let finish: @Sendable (Int) -> Void = { [self] count in
                    finishSalvage(count, of: generation, done)
                }
                do {
                    guard try StoreFiles.hasContent(path) else { return finish(0) }
                    let source = EventSource(try Salvage(damaged: path), worker)
                    copy(from: source, at: .start, 0, of: generation, finish)
                } catch {
                    // What cannot be opened has nothing to read; what is wrong with it is told already.
                    finish(0)
                }
            }
        }
    }

    /// A damaged database, confined to a queue.
    private final class EventSource: @unchecked Sendable {
        let queue: DispatchQueue
        private let salvage: Salvage

        init(_ salvage: Salvage, _ queue: DispatchQueue) {
            self.salvage = salvage
            self.queue = queue
        }

        func events(from position: Salvage.EventPosition) -> (events: [Event], next: Salvage.EventPosition?) {
            dispatchPrecondition(condition: .onQueue(queue))
            return salvage.events(from: position)
        }
    }

    private func copy(
        from source: EventSource, at position: Salvage.EventPosition, _ count: Int, of generation: Int,
        _ finish: @escaping @Sendable (Int) -> Void
    ) {
        let (events, next) = source.events(from: position)
        add(events[...]) { [self] result in
            guard generation == self.generation, !isClosed else { return finish(count) }
            switch result {
            // The next start tries again.
            case .failure: finish(count)
            case .success(let added):
                guard let next else {
                    submit { connection in
                        try connection.run("DELETE FROM settings WHERE name = ?", Self.salvageSetting)
                    } completion: { _ in
                        finish(count + added)
                    }
                    return
                }
                source.queue.async { self.copy(from: source, at: next, count + added, of: generation, finish) }
            }
        }
    }

    /// Stores events that are not there. One that cannot be stored for its own fault is left out: the rest is tried
    /// by halves.
    private func add(
        _ events: ArraySlice<Event>, completion: @escaping @Sendable (Result<Int, SentinelError>) -> Void
    ) {
        submitEvents(isLimited: false) { writer in
            var added = 0
            for event in events where try writer.add(event) {
                added += 1
            }
            return added
        } completion: { [self] result in
            guard case .failure(let error) = result, !error.isOfStorage else { return completion(result) }
            guard events.count > 1 else { return completion(.success(0)) }
            let half = events.count / 2
            add(events.prefix(half)) { [self] result in
                guard case .success(let added) = result else { return completion(result) }
                add(events.dropFirst(half)) { completion($0.map { added + $0 }) }
            }
        }
    }

    private func finishSalvage(_ count: Int, of generation: Int, _ done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            if generation == self.generation, let backing, !isClosed {
                self.backing = backing.adding(.init("salvaged_events", "\(count)"))
                publishHealth()
            }
            done()
        }
    }
}
