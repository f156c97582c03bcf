// SPDX-License-Identifier: MIT

import CDBus
import Synchronization

/// A reply that is waited for.
private struct AwaitedReply {
    let pending: PendingCall
    /// Whom the call was sent to.
    let peer: BusName?

    /// Whether a sender may answer.
    ///
    /// Numbers of calls can be guessed, and the usual session policy lets replies to them pass. Who owns a well-known
    /// name at the moment is the bus's to know: its reply may come from every unique name.
    func canCome(from sender: BusName?) -> Bool {
        guard let sender, let peer, peer.isUnique || peer == .bus else { return true }
        // The bus answers for peers that are gone.
        return sender == peer || sender == .bus
    }
}

/// A connection to a message bus.
///
/// It may be used from every thread. What arrives is handled on its loop's thread, one after the other: methods of
/// exported objects, signals, completions. What is sent from that thread goes out together before the loop waits next.
public final class Connection: @unchecked Sendable {
    /// The loop that the connection lives on.
    public let loop: EventLoop
    /// The name that the bus has given to the connection.
    public var uniqueName: BusName { transport.uniqueName }
    /// The objects that are called through this connection.
    public let objects: ObjectServer

    private let transport: Transport

    // Confined to the loop's thread.
    private var calls: [UInt32: AwaitedReply] = [:]
    private var router = SignalRouter()
    private var endHandlers: [@Sendable (DBusError) -> Void] = []
    /// Why the connection has ended; nil while it lives.
    private var ending: DBusError?

    /// Connects to a bus; blocks until the bus has answered, at most 25 s.
    ///
    /// - Throws: ``DBusError`` with the code that libdbus gives, for example `noServer`.
    public init(to address: BusAddress, on loop: EventLoop) throws(DBusError) {
        self.loop = loop
        transport = try Transport(address)
        objects = ObjectServer()
        objects.connection = self
        transport.receiver = self
        loop.enqueue { [transport] in loop.add(transport) }
    }

    deinit {
        let routes = router.removeAll()
        loop.enqueue { [loop, transport, endHandlers] in
            loop.remove(transport)
            for route in routes {
                route.ended(Self.ended)
            }
            for handler in endHandlers {
                handler(Self.ended)
            }
        }
    }

    /// Sends what waits, ends everything that is pending with code `disconnected`, and disconnects; callable on every
    /// thread, more than once.
    public func close() {
        onLoop { connection in
            guard connection.ending == nil else { return }
            connection.transport.close()
            connection.loop.remove(connection.transport)
            connection.end(with: DBusError(.disconnected, "the connection was closed"))
        }
    }

    /// Calls `handler` once on the loop's thread when the connection has ended, whoever ended it; at once if the loop
    /// has been stopped.
    public func onEnd(_ handler: @escaping @Sendable (DBusError) -> Void) {
        let isQueued = onLoop { connection in
            if let ending = connection.ending {
                handler(ending)
            } else {
                connection.endHandlers.append(handler)
            }
        }
        if !isQueued {
            handler(Self.ended)
        }
    }

    /// Sends a message that needs no reply. On a connection that has ended it is dropped.
    public func send(_ message: Message) {
        onLoop { connection in
            connection.transport.send(Transport.Parcel(message: message, sent: nil))
        }
    }

    /// Sends a call; `completion` gets the reply on the loop's thread, once.
    ///
    /// It ends with code `noReply` when the time is over, `cancelled` when it is cancelled (then on the thread that
    /// cancels), `disconnected` when the connection ends, or with the error that the peer answers.
    @discardableResult
    public func call(
        _ message: Message, timeout: Duration = .seconds(25), completion: @escaping PendingCall.Completion
    ) -> PendingCall {
        let pending = pendingCall()
        start(pending, message, timeout, completion)
        return pending
    }

    /// Sends a call and waits for its reply; cancelling the task gives it up.
    ///
    /// - Throws: as ``call(_:timeout:completion:)``.
    public func call(_ message: Message, timeout: Duration = .seconds(25)) async throws(DBusError) -> Message {
        let pending = pendingCall()
        let result: Result<Message, DBusError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(pending, message, timeout) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            pending.cancel()
        }
        // ThreadSanitizer knows this lock, but not a continuation that is resumed before it is waited for.
        assert(pending.isOver, "a call returns once it is over")
        return try result.get()
    }

    /// Runs `body` on the loop's thread: at once if this is it.
    ///
    /// - Returns: false if the loop has been stopped and `body` is dropped.
    @discardableResult
    func onLoop(_ body: @escaping @Sendable (Connection) -> Void) -> Bool {
        guard loop.isCurrent else { return loop.enqueue { body(self) } }
        body(self)
        return true
    }

    /// The number of calls that wait for a reply, on the loop's thread.
    var pendingCallCount: Int {
        loop.preconditionIsCurrent()
        return calls.count
    }

    /// Changes the signal routes, on the loop's thread.
    func withRouter<Result>(_ body: (inout SignalRouter) -> Result) -> Result {
        loop.preconditionIsCurrent()
        return body(&router)
    }
}

// MARK: - Receiving

extension Connection {
    static let ended = DBusError(.disconnected, "the connection to the bus has ended")

    /// Takes a message in, on the loop's thread.
    func receive(_ message: Message) {
        // Closing from a handler leaves what had been read before.
        guard ending == nil else { return }
        switch message.kind {
        case .methodCall:
            objects.handle(message)
        case .methodReturn:
            takeCall(answeredBy: message)?.finish(.success(message))
        case .error:
            takeCall(answeredBy: message)?.finish(.failure(message.error ?? Self.ended))
        case .signal:
            if dbus_message_is_signal(message.raw, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
                loop.remove(transport)
                end(with: Self.ended)
            } else {
                for identifier in router.routes(for: message) {
                    router.route(identifier)?.handler(message)
                }
            }
        case nil:
            break
        }
    }

    /// Fails all that is pending and tells those who want to know, once.
    func end(with error: DBusError) {
        guard ending == nil else { return }
        ending = error
        let pending = calls.values
        calls = [:]
        for call in pending {
            call.pending.finish(.failure(error))
        }
        for route in router.removeAll() {
            route.ended(error)
        }
        let handlers = endHandlers
        endHandlers = []
        for handler in handlers {
            handler(error)
        }
    }

    private func pendingCall() -> PendingCall {
        PendingCall { [weak self] pending in
            self?.onLoop { $0.calls[pending.serial.load(ordering: .relaxed)] = nil }
        }
    }

    private func start(
        _ pending: PendingCall, _ message: Message, _ timeout: Duration, _ completion: @escaping PendingCall.Completion
    ) {
        let timer = loop.schedule(after: timeout) { [weak pending] in
            pending?.abandon(DBusError(.noReply, "no reply in \(timeout)"))
        }
        // Whoever waits keeps the connection.
        pending.start { [self] result in
            timer.cancel()
            completion(result)
            withExtendedLifetime(self) {}
        }
        let isQueued = onLoop { connection in
            guard !pending.isOver else { return }
            if let ending = connection.ending {
                return pending.finish(.failure(ending))
            }
            connection.transport.send(
                Transport.Parcel(message: message) { [weak connection] serial in
                    connection?.expectReply(to: serial, from: message.destination, for: pending)
                })
        }
        if !isQueued {
            pending.finish(.failure(Self.ended))
        }
    }

    private func expectReply(to serial: UInt32, from peer: BusName?, for pending: PendingCall) {
        guard serial != 0 else { return pending.finish(.failure(DBusError.outOfMemory)) }
        guard !pending.isOver else { return }
        // The end can have come between the call and its sending; no reply follows it.
        if let ending { return pending.finish(.failure(ending)) }
        pending.serial.store(serial, ordering: .relaxed)
        calls[serial] = AwaitedReply(pending: pending, peer: peer)
    }

    /// Finds and removes the call that a reply answers; nil if none waits for it, or not from that sender.
    private func takeCall(answeredBy reply: Message) -> PendingCall? {
        guard let call = calls[reply.replySerial], call.canCome(from: reply.sender) else { return nil }
        calls[reply.replySerial] = nil
        return call.pending
    }
}
