// SPDX-License-Identifier: MIT

public import DBus

/// A desktop portal of the test's own with global shortcuts, with a connection and a thread of its own.
public final class MockPortal: @unchecked Sendable {
    /// A request of a client (`org.freedesktop.portal.Request`), which a test answers as it likes.
    public struct Request: Sendable {
        /// The call.
        public let call: MethodCall
        /// Where the outcome is expected.
        public let path: ObjectPath
        /// The session that is made, or in which shortcuts are bound.
        public let session: ObjectPath
        /// The shortcuts to bind.
        public let shortcuts: [Key: [Key: Value]]
        fileprivate let connection: Connection

        /// Answers the call.
        public func accept() {
            Reply<ObjectPath>(call)(path)
        }

        /// Tells the outcome.
        public func respond(_ response: UInt32, _ results: [Key: Value] = [:]) {
            respond { (writer) throws(DBusError) in
                try writer.write(response)
                try writer.write(results)
            }
        }

        /// Tells the outcome in a form of its own.
        public func respond(body: (inout Writer) throws(DBusError) -> Void) {
            send(connection, path, "org.freedesktop.portal.Request", "Response", to: call.sender, body)
        }

        /// Answers the call, and grants what it asks for.
        public func grant() {
            accept()
            guard !shortcuts.isEmpty else {
                return respond(0, ["session_handle": .string(session.text)])
            }
            respond(0, ["shortcuts": .shortcuts(shortcuts.keys.sorted().map(\.text))])
        }
    }

    /// What it does; the functions are called on its loop's thread.
    public struct Behaviour: Sendable {
        /// Whether it has global shortcuts.
        public var hasShortcuts = true
        /// Whether it takes application ids.
        public var hasRegistry = true
        /// Makes a session.
        public var create: @Sendable (Request) -> Void = { $0.grant() }
        /// Binds shortcuts.
        public var bind: @Sendable (Request) -> Void = { $0.grant() }
        /// Lists what is bound in a session.
        public var list: @Sendable (Request) -> Void = { $0.grant() }
        /// Takes an application id.
        public var register: @Sendable (MethodCall) -> Void = { call in call.answer { _ in } }

        /// Grants everything.
        public init() {}
    }

    /// The name that portals have.
    public static let name: BusName = "org.freedesktop.portal.Desktop"
    /// The object of the portal.
    public static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    private static let shortcuts: InterfaceName = "org.freedesktop.portal.GlobalShortcuts"

    /// What has been called, in order.
    public let calls = Recorder<String>()
    /// The requests for sessions.
    public let sessions = Recorder<Request>()
    /// The requests to bind shortcuts.
    public let bindings = Recorder<Request>()
    /// The objects that have been closed.
    public let closed = Recorder<ObjectPath>()
    /// What it does from now on.
    public var behaviour: Behaviour {
        get { changeable.elements.last ?? Behaviour() }
        set { changeable.append(newValue) }
    }
    private let changeable = Recorder<Behaviour>()
    private let loop: EventLoop
    private let connection: Connection

    /// Connects and takes the name.
    ///
    /// - Throws: what keeps it from that.
    public init(on bus: PrivateBus, _ behaviour: Behaviour = Behaviour()) async throws {
        loop = try EventLoop.startThread(named: "portal")
        connection = try Connection(to: BusAddress(bus.address), on: loop)
        changeable.append(behaviour)
        let outcome = await withCheckedContinuation { continuation in
            loop.enqueue { [self] in
                export()
                connection.requestName(Self.name, flags: [.doNotQueue]) { continuation.resume(returning: $0) }
            }
        }
        guard try outcome.get() == .primaryOwner else { throw TestSupportError("\(Self.name) is taken") }
    }

    deinit {
        end()
    }

    /// Leaves the bus, as a portal does that dies.
    public func end() {
        connection.close()
        loop.enqueue { [loop, objects = connection.objects] in
            objects.removeAll()
            loop.stop()
        }
    }

    /// Gives the name back and stays on the bus.
    public func resign() async {
        await withCheckedContinuation { continuation in
            connection.releaseName(Self.name) { continuation.resume() }
        }
    }

    /// Tells that the keys of a shortcut are pressed.
    public func activate(_ id: String, in request: Request?, to client: BusName? = nil) throws {
        guard let request else { throw TestSupportError("nothing was asked for") }
        emit("Activated", to: client ?? request.call.sender) { (writer) throws(DBusError) in
            try writer.write(request.session)
            try writer.write(id)
            try writer.write(UInt64(1))
            try writer.write([Key: Value]())
        }
    }

    /// Sends a signal of the global shortcuts.
    public func emit(
        _ member: MemberName, to client: BusName?, body: (inout Writer) throws(DBusError) -> Void
    ) {
        send(connection, Self.path, Self.shortcuts, member, to: client, body)
    }

    /// Ends a session, as a desktop does on its own; another than that of the request if a path is given.
    public func endSession(of request: Request, at path: ObjectPath? = nil) {
        send(connection, path ?? request.session, "org.freedesktop.portal.Session", "Closed", to: request.call.sender) {
            (writer) throws(DBusError) in
            try writer.write([Key: Value]())
        }
    }

    private func export() {
        var interfaces: [MockInterface] = []
        if behaviour.hasShortcuts {
            interfaces.append(
                interface(
                    Self.shortcuts,
                    [
                        method("CreateSession", "a{sv}") { portal, call throws(DBusError) in try portal.create(call) },
                        method("BindShortcuts", "oa(sa{sv})sa{sv}") { portal, call throws(DBusError) in
                            try portal.bind(call)
                        },
                        method("ListShortcuts", "oa{sv}") { portal, call throws(DBusError) in
                            try portal.list(call)
                        },
                    ]))
        }
        if behaviour.hasRegistry {
            interfaces.append(
                interface(
                    "org.freedesktop.host.portal.Registry",
                    [
                        method("Register", "sa{sv}") { portal, call throws(DBusError) in
                            var body = call.message.body
                            portal.calls.append("Register \(try body.read(String.self))")
                            portal.behaviour.register(call)
                        }
                    ]))
        }
        connection.objects.export(ExportedObject(interfaces), at: Self.path)
    }

    private func create(_ call: MethodCall) throws(DBusError) {
        var body = call.message.body
        let options = try body.read([Key: Value].self)
        let session = try path("session", options["session_handle_token"], for: call)
        let request = try request(call, options, session: session)
        exportCloseable("org.freedesktop.portal.Session", at: session)
        calls.append("CreateSession")
        sessions.append(request)
        behaviour.create(request)
    }

    private func bind(_ call: MethodCall) throws(DBusError) {
        var body = call.message.body
        let session = try body.read(ObjectPath.self)
        let shortcuts = try body.read([Shortcut].self)
        guard try body.read(String.self).isEmpty else { throw DBusError(.invalidArgs, "no window was expected") }
        let request = try request(call, try body.read(), session: session, shortcuts)
        calls.append("BindShortcuts \(shortcuts.map(\.id).joined(separator: " "))")
        bindings.append(request)
        behaviour.bind(request)
    }

    private func list(_ call: MethodCall) throws(DBusError) {
        var body = call.message.body
        let session = try body.read(ObjectPath.self)
        // All that was bound at last.
        let shortcuts = bindings.elements.last?.shortcuts.map { Shortcut(id: $0.key.text, attributes: $0.value) }
        let request = try request(call, try body.read(), session: session, shortcuts ?? [])
        calls.append("ListShortcuts")
        behaviour.list(request)
    }

    private func request(
        _ call: MethodCall, _ options: [Key: Value], session: ObjectPath, _ shortcuts: [Shortcut] = []
    ) throws(DBusError) -> Request {
        let path = try path("request", options["handle_token"], for: call)
        exportCloseable("org.freedesktop.portal.Request", at: path)
        let byID = Dictionary(shortcuts.map { (Key($0.id), $0.attributes) }) { first, _ in first }
        return Request(call: call, path: path, session: session, shortcuts: byID, connection: connection)
    }

    private func path(_ kind: String, _ token: Value?, for call: MethodCall) throws(DBusError) -> ObjectPath {
        guard let token, let sender = call.sender else { throw DBusError(.invalidArgs, "there is no token") }
        let element = sender.text.dropFirst().split(separator: ".").joined(separator: "_")
        return try Self.path.appending(kind).appending(element).appending(try token.text())
    }

    private func exportCloseable(_ name: InterfaceName, at path: ObjectPath) {
        let close = method("Close", "") { portal, call in
            portal.calls.append("Close \(path.elements.dropLast(2).last ?? "")")
            portal.closed.append(path)
            portal.connection.objects.remove(at: path)
            call.answer { _ in }
        }
        connection.objects.export(ExportedObject([interface(name, [close])]), at: path)
    }

    private func interface(_ name: InterfaceName, _ methods: [MockInterface.Method]) -> MockInterface {
        // Its own record would hold the members without what they are called with.
        MockInterface(name, properties: [:], methods: methods, calls: Recorder())
    }

    private func method(
        _ name: MemberName, _ arguments: Signature,
        _ body: @escaping @Sendable (MockPortal, MethodCall) throws(DBusError) -> Void
    ) -> MockInterface.Method {
        MockInterface.Method(name, arguments: arguments) { [weak self] call in
            guard let self else { return }
            do throws(DBusError) {
                try body(self, call)
            } catch {
                call.fail(error)
            }
        }
    }

    /// A shortcut as it travels.
    private struct Shortcut: WireCodable {
        static let wireType = "(sa{sv})"
        let id: String
        let attributes: [Key: Value]

        init(id: String, attributes: [Key: Value]) {
            self.id = id
            self.attributes = attributes
        }

        init(from reader: inout Reader) throws(DBusError) {
            (id, attributes) = try reader.structure { (reader) throws(DBusError) in
                (try reader.read(), try reader.read())
            }
        }

        init(_ value: Value) throws(DBusError) {
            throw DBusError(.notSupported, "it is not read from variants")
        }

        func write(to writer: inout Writer) throws(DBusError) {
            throw DBusError(.notSupported, "it is not written")
        }
    }
}

extension Value {
    /// A list of shortcuts that are bound, as portals give it.
    public static func shortcuts(_ ids: [String]) -> Value {
        do {
            let shortcuts = ids.map {
                Value.structure([.string($0), .options(["trigger_description": .string("Ctrl+Alt+D")])])
            }
            return .array(try ArrayValue(shortcuts, elementType: "(sa{sv})"))
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

private func send(
    _ connection: Connection, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    to client: BusName?, _ body: (inout Writer) throws(DBusError) -> Void
) {
    do {
        connection.send(try Message.signal(from: path, interface, member, to: client, body: body))
    } catch {
        preconditionFailure("\(error)")
    }
}
