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
                var random = BufferedRandom()
                let event = try event(
                    type: eventType, source: source, options, from: caller, reply.call, using: &random)
                try recorder.checkCapturing()
                guard let admitted = recorder.admitted(event) else {
                    throw SentinelError(.denied, "a rule denies the event")
                }
                let client = sources.instance(caller, of: admitted.source)
                var replacement = EventReplacement(by: caller)
                replacement.note(options)
                capture.record(admitted, of: client, replacement) { result in
                    reply.attempt {
                        try result.get()
                        reply(admitted.id.description)
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
                let (events, replacement) = try read(records, from: caller, reply.call)
                try recorder.checkCapturing()
                let admitted = events.compactMap { recorder.admitted($0) }
                guard !admitted.isEmpty else { return reply(0) }
                capture.record(admitted, replacement) { result in
                    reply.attempt {
                        try result.get()
                        reply(UInt64(admitted.count))
                    }
                }
            }
        }
    }

    /// Reads the events of a batch, and how they come in the places of others.
    private func read(
        _ records: [EventRecord], from caller: EventSources.Caller, _ call: MethodCall
    ) throws -> (events: [Event], replacement: EventReplacement) {
        var events: [Event] = []
        events.reserveCapacity(records.count)
        var replacement = EventReplacement(by: caller)
        var random = BufferedRandom()
        for (index, record) in records.enumerated() {
            do {
                let options = try RecordOptions(
                    timestamp: record.timestamp, duration: record.duration, options: record.options)
                events.append(
                    try event(
                        type: record.type, source: record.source, options, from: caller, call, using: &random))
                replacement.note(options)
            } catch {
                let error = DBusError(reporting: error)
                throw DBusError(error.code, "event \(index): \(error.message)", underlying: error)
            }
        }
        return (events, replacement)
    }

    private func event(
        type: String, source: String, _ options: RecordOptions, from caller: EventSources.Caller, _ call: MethodCall,
        using random: inout BufferedRandom
    ) throws(SentinelError) -> Event {
        let timestamp = options.timestamp ?? clock.time(at: call.arrival)
        return Event(
            id: options.id ?? .make(at: timestamp, using: &random), timestamp: timestamp,
            type: try Name(type, as: "type"),
            source: try sources.source(source, of: caller), duration: options.duration,
            marks: options.isOpen ? .open : [], data: options.data)
    }
}
