// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// The monitors of the applications that somebody has measured, and the watches of all clients.
///
/// Confined to the loop's thread.
final class PerformanceDirectory: @unchecked Sendable {
    /// So many watches a client may have at a time.
    static let watchLimit = 100

    private let connection: Connection
    private let reader: FactsReader
    private var monitors: [ApplicationID: ApplicationMonitor] = [:]
    private var clients: [BusName: Client] = [:]
    /// The number of the watch that was begun last.
    var lastWatch: UInt32 = 0

    private struct Client {
        let ending: Subscription
        var watches: [UInt32: ApplicationID] = [:]
    }

    init(connection: Connection, reader: FactsReader) {
        self.connection = connection
        self.reader = reader
    }

    /// The monitor of an application, made when it is first asked for.
    func monitor(of application: KnownApplication, at path: ObjectPath) -> ApplicationMonitor {
        if let monitor = monitors[application.id] {
            return monitor
        }
        let monitor = ApplicationMonitor(application, loop: connection.loop, reader: reader) {
            [weak connection] watch, sample in
            connection?.objects.emit(
                Performance1.Sampled(watch: watch.number, sample: sample.options), from: path, to: watch.client)
        }
        monitors[application.id] = monitor
        return monitor
    }

    /// Begins a watch, which ends with the client.
    ///
    /// - Throws: code `limitsExceeded`.
    func watch(
        _ application: KnownApplication, at path: ObjectPath, for client: BusName, interval: Duration
    ) throws(SentinelError) -> UInt32 {
        guard clients[client]?.watches.count ?? 0 < Self.watchLimit else {
            throw SentinelError(
                .limitsExceeded, "\(Self.watchLimit) watches are running for this client; end one of them first")
        }
        // After four thousand million watches numbers come again; those of watches that have lasted so long do not.
        repeat {
            lastWatch = lastWatch == .max ? 1 : lastWatch + 1
        } while clients.values.contains { $0.watches[lastWatch] != nil }
        if clients[client] == nil {
            let ending = connection.watchOwner(of: client) { [weak self] owner in
                if owner == nil {
                    self?.end(client)
                }
            }
            clients[client] = Client(ending: ending)
        }
        clients[client]?.watches[lastWatch] = application.id
        monitor(of: application, at: path).add(number: lastWatch, client: client, interval: interval)
        return lastWatch
    }

    /// Ends a watch of a client on an application.
    ///
    /// - Throws: code `unknownWatch`.
    func unwatch(_ number: UInt32, of client: BusName, on application: KnownApplication) throws(SentinelError) {
        guard clients[client]?.watches[number] == application.id,
            monitors[application.id]?.remove(number: number, of: client) == true
        else {
            throw SentinelError(.unknownWatch, "the caller has no watch \(number) on \(application.id)")
        }
        clients[client]?.watches[number] = nil
        if clients[client]?.watches.isEmpty == true {
            clients[client] = nil
        }
    }

    /// Lets go of an application that has been forgotten.
    func forget(_ id: ApplicationID) {
        guard let monitor = monitors.removeValue(forKey: id) else { return }
        for client in monitor.clients {
            monitor.removeAll(of: client)
            guard var left = clients[client] else { continue }
            left.watches = left.watches.filter { $0.value != id }
            clients[client] = left.watches.isEmpty ? nil : left
        }
    }

    private func end(_ client: BusName) {
        guard let gone = clients.removeValue(forKey: client) else { return }
        for id in Set(gone.watches.values) {
            monitors[id]?.removeAll(of: client)
        }
    }
}
