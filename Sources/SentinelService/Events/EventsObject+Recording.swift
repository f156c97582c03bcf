// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

extension EventsObject {
    func record(eventType: String, source: String, options: [Key: Value], reply: Reply<String>) {
        sources.identify(reply.call) { [self] result in
            reply.attempt {
                let caller = try result.get()
                let options = try RecordOptions(options: options)
                let event = try event(type: eventType, source: source, options, from: caller, reply.call)
                try recorder.checkCapturing()
                guard let admitted = recorder.admitted(event) else {
                    throw SentinelError(.denied, "a rule denies the event")
                }
                let client = sources.instance(caller, of: admitted.source)
                replaceable([options.id].compactMap { $0 }, by: caller) { [self] result in
                    reply.attempt {
                        try result.get()
                        capture.record(admitted, of: client) { result in
                            reply.attempt {
                                try result.get()
                                reply(admitted.id.description)
                            }
                        }
                    }
                }
            }
        }
    }

    func recordBatch(events records: [EventRecord], reply: Reply<UInt64>) {
        sources.identify(reply.call) { [self] result in
            reply.attempt {
                let caller = try result.get()
                guard records.count <= EventRecorder.batchLimit else {
                    throw SentinelError(
                        .limitsExceeded,
                        "\(records.count) events are too many: at most \(EventRecorder.batchLimit) are allowed")
                }
                let (events, ids) = try read(records, from: caller, reply.call)
                try recorder.checkCapturing()
                let admitted = events.compactMap { recorder.admitted($0) }
                guard !admitted.isEmpty else { return reply(0) }
                replaceable(ids, by: caller) { [self] result in
                    reply.attempt {
                        try result.get()
                        capture.record(admitted) { result in
                            reply.attempt {
                                try result.get()
                                reply(UInt64(admitted.count))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Reads the events of a batch, and the ids among them that the caller has given.
    private func read(
        _ records: [EventRecord], from caller: EventSources.Caller, _ call: MethodCall
    ) throws -> (events: [Event], ids: [EventID]) {
        var events: [Event] = []
        events.reserveCapacity(records.count)
        var ids: [EventID] = []
        for (index, record) in records.enumerated() {
            do {
                let options = try RecordOptions(
                    timestamp: record.timestamp, duration: record.duration, options: record.options)
                events.append(try event(type: record.type, source: record.source, options, from: caller, call))
                if let id = options.id {
                    ids.append(id)
                }
            } catch {
                let error = DBusError(reporting: error)
                throw DBusError(error.code, "event \(index): \(error.message)", underlying: error)
            }
        }
        return (events, ids)
    }

    private func event(
        type: String, source: String, _ options: RecordOptions, from caller: EventSources.Caller, _ call: MethodCall
    ) throws(SentinelError) -> Event {
        let timestamp = options.timestamp ?? clock.time(at: call.arrival)
        return Event(
            id: options.id ?? .make(at: timestamp), timestamp: timestamp, type: try Name(type, as: "type"),
            source: try sources.source(source, of: caller), duration: options.duration,
            marks: options.isOpen ? .open : [], data: options.data)
    }

    /// Checks that a sandboxed caller replaces no event of others.
    private func replaceable(
        _ ids: [EventID], by caller: EventSources.Caller,
        completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        guard let confinement = caller.confinement, !ids.isEmpty else { return completion(.success(())) }
        var filter = EventFilter()
        filter.ids = ids
        let source = Name(confinement)
        store.events(
            filter, limit: ids.count, byteLimit: .max, cursor: nil,
            completion: loop.completion { result in
                completion(
                    result.flatMap { page in
                        guard page.events.allSatisfy({ $0.source == source }) else {
                            let refusal = SentinelError(
                                .accessDenied, "an event of that id is of another application than \(confinement)")
                            return .failure(refusal)
                        }
                        return .success(())
                    })
            })
    }
}
