// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Locking
import SentinelModels
import SentinelPersistence

/// Stores and deletes events in a directory, as fast as it can, until it is killed. A line for each event says what
/// was acknowledged: `+ id` stored, `? id` about to be deleted, `- id` deleted.
func run(_ directory: String) -> Never {
    let store = Store.open(location: .directory(directory))
    let room = DispatchSemaphore(value: 16)
    let ids = Guarded(Identities())
    while true {
        room.wait()
        let number = Int.random(in: 0..<50)
        if number == 0, let id = ids.withLock({ $0.takeLast() }) {
            report("?", [id])
            var filter = EventFilter()
            filter.ids = [id]
            store.deleteEvents(filter) { result in
                finish("-", [id], result.map { _ in () }, room)
            }
            continue
        }
        let events = ids.withLock { ids in
            let events = (0..<(number == 1 ? 200 : 1)).map { _ in event(replacing: ids.stored.randomElement()) }
            ids.pending += events.map(\.id)
            return events
        }
        store.record(events) { result in
            ids.withLock { $0.settle(events.map(\.id)) }
            finish("+", events.map(\.id), result.map { _ in () }, room)
        }
    }
}

/// The ids that were used.
struct Identities {
    /// Those of stored events, the last ones.
    var stored: [EventID] = []
    /// Those of events that are being stored.
    var pending: [EventID] = []

    /// Takes out an id whose event may be deleted: nothing stores it meanwhile, else it might come back.
    mutating func takeLast() -> EventID? {
        guard let id = stored.last, !pending.contains(id) else { return nil }
        stored.removeAll { $0 == id }
        return id
    }

    /// Takes note of ids whose events are stored.
    mutating func settle(_ ids: [EventID]) {
        for id in ids {
            if let index = pending.firstIndex(of: id) {
                pending.remove(at: index)
            }
        }
        stored = (stored + ids).suffix(1000)
    }
}

func event(replacing known: EventID?) -> Event {
    let timestamp = Timestamp(
        clamping: WallClock.system.now().microseconds - .random(in: 0..<86_400_000_000))
    let id =
        switch Int.random(in: 0..<4) {
        case 0: known ?? .make(at: timestamp)
        case 1: EventID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
        default: EventID.make(at: timestamp)
        }
    do {
        return Event(
            id: id, timestamp: timestamp, type: try Name("type.\(Int.random(in: 0..<8))"),
            source: try Name("source.\(Int.random(in: 0..<8))"), duration: .random(in: 0..<3_600_000_000),
            data: ["text": .text(String(repeating: "x", count: .random(in: 0..<500)))])
    } catch {
        preconditionFailure("\(error)")
    }
}

func finish(_ mark: String, _ ids: [EventID], _ result: Result<Void, SentinelError>, _ room: DispatchSemaphore) {
    switch result {
    case .success: report(mark, ids)
    // It is deleted, and overwritten later.
    case .failure(let error) where mark == "-" && error.code == .timeout: report(mark, ids)
    case .failure(let error): preconditionFailure("\(error)")
    }
    room.signal()
}

func report(_ mark: String, _ ids: [EventID]) {
    let lines = ids.map { "\(mark) \($0)\n" }.joined()
    var rest = Array(lines.utf8)[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
        guard written > 0 else { exit(1) }
        rest = rest.dropFirst(written)
    }
}

run(CommandLine.arguments[1])
