// SPDX-License-Identifier: MIT

import DBus
import Dispatch

/// The connection to the system bus, which is opened in the background and may come late or go.
///
/// Confined to the loop's thread; connecting alone blocks, and does that on a queue of its own.
final class SystemBusLink: @unchecked Sendable {
    private let address: BusAddress?
    private let loop: EventLoop
    private let queue = DispatchQueue(label: "org.sentinel.system-bus")

    /// Called when a connection has come, has gone or cannot be had, but not for ``close()``.
    var onChange: (@Sendable () -> Void)?
    /// The connection; nil while there is none.
    private(set) var connection: Connection?
    /// Why there is no connection.
    private(set) var reason = "the system bus has not been connected to yet"
    /// When a connection was last tried.
    private(set) var lastAttempt: ContinuousClock.Instant?

    private var isConnecting = false
    /// Tells attempts of before ``close()`` from later ones.
    private var generation: UInt64 = 0
    private var waiting: [@Sendable () -> Void] = []

    /// Names a bus; nothing is opened yet.
    init(_ address: BusAddress?, on loop: EventLoop) {
        self.address = address
        self.loop = loop
    }

    /// Connects unless there is a connection; `completion` is called once when there is one or the attempt has failed.
    func connect(_ completion: @escaping @Sendable () -> Void) {
        loop.preconditionIsCurrent()
        guard connection == nil else { return completion() }
        guard let address else {
            reason = "no system bus is known"
            onChange?()
            return completion()
        }
        waiting.append(completion)
        guard !isConnecting else { return }
        isConnecting = true
        lastAttempt = .now
        let attempt = generation
        queue.async { [weak self, loop] in
            let result: Result<Connection, DBusError>
            do throws(DBusError) {
                result = .success(try Connection(to: address, on: loop))
            } catch {
                result = .failure(error)
            }
            loop.enqueue { [weak self] in
                if let self, self.generation == attempt {
                    self.finish(result)
                } else if case .success(let connection) = result {
                    connection.close()
                }
            }
        }
    }

    /// Closes the connection and gives up an attempt that is under way.
    func close() {
        loop.preconditionIsCurrent()
        generation &+= 1
        isConnecting = false
        let ended = connection
        connection = nil
        reason = "the system bus has been let go"
        ended?.close()
        answerWaiting()
    }

    private func finish(_ result: Result<Connection, DBusError>) {
        isConnecting = false
        switch result {
        case .success(let connection):
            self.connection = connection
            connection.onEnd { [weak self, weak connection] _ in
                guard let self, let connection, self.connection === connection else { return }
                self.connection = nil
                reason = "the system bus has gone"
                onChange?()
            }
            onChange?()
        case .failure(let error):
            reason = "the system bus cannot be reached: \(error.code)"
            onChange?()
        }
        answerWaiting()
    }

    private func answerWaiting() {
        let completions = waiting
        waiting = []
        for completion in completions {
            completion()
        }
    }
}
