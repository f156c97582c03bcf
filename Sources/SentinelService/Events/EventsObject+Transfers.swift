// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

extension EventsObject {
    func export(file: FileDescriptor, format: String, options: [Key: Value], reply: Reply<UInt64>) {
        reply.attempt {
            let client = try reply.call.client
            let format = try EventFormat(named: format)
            let filter = try Self.filter(in: options)
            try transfers.admit(client)
            let export = EventExport(
                to: try TransferFile(file, for: .writing), format, filter, store: store,
                completion: loop.completion { [weak self] result in
                    self?.transfers.end(of: client)
                    reply.attempt { reply(try result.get()) }
                })
            transfers.begin(export, of: client)
        }
    }

    func `import`(file: FileDescriptor, format: String, options: [Key: Value], reply: Reply<UInt64, UInt64>) {
        reply.attempt {
            let client = try reply.call.client
            let format = try EventFormat(named: format)
            let filter = try Self.filter(in: options)
            try recorder.checkCapturing()
            try transfers.admit(client)
            let `import` = EventImport(
                from: try TransferFile(file, for: .reading), format, filter, store: store,
                admit: { [weak self] events, completion in self?.admit(events, completion) },
                completion: loop.completion { [weak self] result in
                    self?.transfers.end(of: client)
                    // What was recorded before a fault stays, and may be too old or too much.
                    self?.retention.expire()
                    reply.attempt {
                        let outcome = try result.get()
                        reply(outcome.recorded, outcome.skipped)
                    }
                })
            transfers.begin(`import`, of: client)
        }
    }

    /// Lets events of an import in as rules and pause say.
    private func admit(
        _ events: [Event], _ completion: @escaping @Sendable (Result<[Event], SentinelError>) -> Void
    ) {
        loop.enqueue { [self] in
            do throws(SentinelError) {
                try recorder.checkCapturing()
                let admitted = events.compactMap { recorder.admitted($0) }
                retention.note(admitted)
                completion(.success(admitted))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private static func filter(in options: [Key: Value]) throws -> EventFilter {
        guard let members = try options.option("filter", as: [Key: Value].self) else { return EventFilter() }
        return try EventFilter(options: members)
    }

    func exportText(format: String, filter: [Key: Value], cursor: String, reply: Reply<String, String>) {
        reply.attempt {
            let format = try EventFormat(named: format)
            let filter = try EventFilter(options: filter)
            let position = try Self.cursor(cursor)
            reads.begin(for: try reply.call.client) { result in
                reply.attempt {
                    let page: EventPage = try result.get()
                    var bytes = position == nil ? format.header : []
                    for event in page.events {
                        bytes += format.line(event)
                    }
                    reply(String(decoding: bytes, as: UTF8.self), page.next?.text ?? "")
                }
            } _: { cancellation, completion in
                store.events(
                    filter, limit: 5000, byteLimit: 512 << 10, cursor: position, cancellation: cancellation,
                    completion: completion)
            }
        }
    }
}
