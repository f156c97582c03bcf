// SPDX-License-Identifier: MIT

public import DBus

/// A system service of the test's own on a private bus, with a connection and a thread of its own.
public final class MockService: @unchecked Sendable {
    /// The methods that have been called, in order.
    public let calls = Recorder<String>()
    private let name: BusName
    private let loop: EventLoop
    private let connection: Connection

    // Confined to the loop's thread.
    private var interfaces: [ObjectPath: MockInterface] = [:]
    private var held: [MethodCall] = []

    /// Connects; the name is taken by ``appear()``.
    ///
    /// - Throws: what keeps it from connecting.
    public init(_ name: BusName, on bus: PrivateBus) throws {
        self.name = name
        loop = try EventLoop.startThread(named: "mock")
        connection = try Connection(to: BusAddress(bus.address), on: loop)
    }

    deinit {
        connection.close()
        loop.stop()
    }

    /// Offers an object.
    public func export(
        _ path: ObjectPath, _ interface: InterfaceName, _ properties: [Key: Value],
        methods: [MockInterface.Method] = []
    ) {
        let mock = MockInterface(interface, properties: properties, methods: methods, calls: calls)
        loop.enqueue { [self] in
            interfaces[path] = mock
            connection.objects.export(ExportedObject([mock]), at: path)
        }
    }

    /// Takes the name.
    ///
    /// - Throws: ``TestSupportError`` if another has it.
    public func appear(flags: Connection.NameFlags = [.doNotQueue, .allowReplacement, .replaceExisting]) async throws {
        let outcome = await withCheckedContinuation { continuation in
            connection.requestName(name, flags: flags) { continuation.resume(returning: $0) }
        }
        guard try outcome.get() == .primaryOwner else { throw TestSupportError("\(name) is taken") }
    }

    /// Gives the name back, as a service does that ends.
    public func disappear() async {
        await withCheckedContinuation { continuation in
            connection.releaseName(name) { continuation.resume() }
        }
    }

    /// Has no call answered from now on, or all.
    public func hang(_ isHanging: Bool = true) async throws {
        try await onLoop { [self] in
            connection.objects.gate = isHanging ? { call, _, _ in self.held.append(call) } : nil
        }
    }

    /// Changes properties, and makes it known with their values or by name.
    public func change(
        _ path: ObjectPath, _ changes: [Key: Value], signalled: Bool = true, invalidated: [String] = []
    ) async throws {
        let interface = try await onLoop { [self] in
            guard let interface = interfaces[path] else { throw TestSupportError("no object at \(path)") }
            interface.properties.merge(changes) { $1 }
            return interface.description.name
        }
        if signalled {
            try signal(path, interface, invalidated.isEmpty ? changes : [:], invalidated: invalidated)
        }
    }

    /// Sends `PropertiesChanged`, true or not; to one receiver alone if `destination` is given.
    public func signal(
        _ path: ObjectPath, _ interface: InterfaceName, _ changes: [Key: Value], invalidated: [String] = [],
        to destination: BusName? = nil
    ) throws {
        connection.send(
            try Message.signal(
                from: path, "org.freedesktop.DBus.Properties", "PropertiesChanged", to: destination
            ) { (writer) throws(DBusError) in
                try writer.write(interface.text)
                try writer.write(changes)
                try writer.write(invalidated)
            })
    }

    /// Sends a signal of an object, whose arguments `body` writes.
    public func emit(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
        body: (inout Writer) throws(DBusError) -> Void = { _ in }
    ) throws {
        connection.send(try Message.signal(from: path, interface, member, body: body))
    }

    /// Calls a method of another service.
    public func call(_ message: Message) async throws -> Message {
        try await connection.call(message)
    }

    /// Waits until the bus has handled what this service has sent before.
    public func settle() async throws {
        _ = try await withCheckedContinuation { continuation in
            connection.owner(of: name) { continuation.resume(returning: $0) }
        }.get()
    }

    private func onLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let result = await withCheckedContinuation { continuation in
            loop.enqueue { continuation.resume(returning: Swift.Result { try body() }) }
        }
        return try result.get()
    }
}
