// SPDX-License-Identifier: MIT

@testable import DBus
import TestSupport

/// A private bus with a service and a client on it, each with a loop of its own.
final class BusFixture: Sendable {
    /// Where the service offers its ``interface``.
    static let path: ObjectPath = "/org/sentinel/Test"

    let bus: PrivateBus
    let service: Connection
    let client: Connection
    let interface = TestInterface()

    init(activatable: [String: String] = [:]) throws {
        bus = try PrivateBus(activatable: activatable)
        service = try Self.connect(to: bus)
        client = try Self.connect(to: bus)
        service.loop.enqueue { [service, interface] in
            service.objects.export(ExportedObject([interface]), at: Self.path)
        }
    }

    deinit {
        for connection in [service, client] {
            connection.close()
        }
        // Calls hold the connection, and so would those that nobody answers any more.
        service.loop.enqueue { [interface] in _ = interface.held.takeAll() }
        for connection in [service, client] {
            connection.loop.stop()
        }
    }

    /// Connects to a bus with a loop of its own.
    static func connect(to bus: PrivateBus) throws -> Connection {
        try Connection(to: BusAddress(bus.address), on: EventLoop.startThread())
    }

    /// Makes a call to the service.
    func message(
        _ member: MemberName, interface: InterfaceName? = TestInterface.name, at path: ObjectPath = path,
        wantsReply: Bool = true, body: (inout Writer) throws(DBusError) -> Void = { _ in }
    ) throws -> Message {
        try Message.methodCall(
            to: service.uniqueName, path, interface, member, wantsReply: wantsReply, body: body)
    }

    /// Calls the service from the client.
    func call(
        _ member: MemberName, interface: InterfaceName? = TestInterface.name, at path: ObjectPath = path,
        timeout: Duration = patience, body: (inout Writer) throws(DBusError) -> Void = { _ in }
    ) async throws -> Message {
        try await client.call(try message(member, interface: interface, at: path, body: body), timeout: timeout)
    }

    /// Calls the service, which must answer with an error.
    func refusal(
        _ member: MemberName, interface: InterfaceName? = TestInterface.name, at path: ObjectPath = path,
        timeout: Duration = patience, body: (inout Writer) throws(DBusError) -> Void = { _ in }
    ) async throws -> DBusError {
        do {
            _ = try await call(member, interface: interface, at: path, timeout: timeout, body: body)
        } catch let error as DBusError {
            return error
        }
        throw TestSupportError("\(member) was not refused")
    }

    /// Has the service send a signal.
    func emit(
        _ member: MemberName = "Changed", from path: ObjectPath = path, to destination: BusName? = nil,
        body: (inout Writer) throws(DBusError) -> Void = { _ in }
    ) throws {
        service.send(try Message.signal(from: path, TestInterface.name, member, to: destination, body: body))
    }

    /// Waits until all that the client has sent before has reached the bus, and all that the bus had for it then the
    /// client.
    func settle() async throws {
        for connection in [service, client, service, client] {
            try await connection.ping()
        }
    }
}

extension Connection {
    /// Does something on the connection's loop and waits for it.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (Connection) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            loop.enqueue { continuation.resume(returning: body(self)) }
        }
    }

    /// A round trip to the bus.
    func ping() async throws {
        _ = try await call(Message.methodCall(to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping"))
    }

    /// Asks for a name and waits for the outcome.
    func own(_ name: BusName, flags: NameFlags = .doNotQueue) async throws -> NameOutcome {
        try await withCheckedContinuation { continuation in
            requestName(name, flags: flags) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Gives a name back and waits until the bus has done it.
    func disown(_ name: BusName) async {
        await withCheckedContinuation { continuation in
            releaseName(name) { continuation.resume() }
        }
    }

    /// The number of match rules that the bus holds for the connection, as its own statistics say.
    func ruleCountOfBus() async throws -> UInt32 {
        let reply = try await call(
            Message.methodCall(
                to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats"
            ) { [uniqueName] (writer) throws(DBusError) in try writer.write(uniqueName.text) })
        var body = reply.body
        guard let count = try body.read([Key: Value].self)["MatchRules"] else {
            throw TestSupportError("the bus does not tell the number of match rules")
        }
        return try count.integer()
    }
}
