// SPDX-License-Identifier: MIT

/// One interface of one object of a peer: what typed proxies call through.
///
/// The types of a call and its results are those of its arguments and of what it is to return. A peer that answers
/// with other types gets nowhere: that is an error, never a wrong value.
public struct RemoteInterface: Sendable {
    private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"

    /// The connection to call through.
    public let connection: Connection
    /// The peer: its unique name, or a well-known name, whose owner is started if nobody owns it.
    public let destination: BusName
    /// The object.
    public let path: ObjectPath
    /// The interface.
    public let name: InterfaceName
    /// How long a reply is waited for.
    public let timeout: Duration

    /// Makes an interface known; nothing is asked yet.
    public init(
        _ name: InterfaceName, of path: ObjectPath, at destination: BusName, on connection: Connection,
        timeout: Duration = .seconds(25)
    ) {
        self.name = name
        self.path = path
        self.destination = destination
        self.connection = connection
        self.timeout = timeout
    }

    /// Calls a method and waits for its results.
    ///
    /// - Parameters:
    ///   - member: the method.
    ///   - arguments: its arguments in order.
    ///   - results: the types of its results in order.
    /// - Returns: the results; one alone stands for itself.
    /// - Throws: ``DBusError`` as ``Connection/call(_:timeout:)``, and with code `invalidSignature` if the peer answers
    ///   with other types.
    public func call<each Argument: WireCodable, each Result: WireCodable>(
        _ member: MemberName, _ arguments: repeat each Argument, returning results: repeat (each Result).Type
    ) async throws(DBusError) -> (repeat each Result) {
        let reply = try await call(name, member) { (writer) throws(DBusError) in
            repeat try writer.write(each arguments)
        }
        var expected = ""
        for type in repeat each results {
            expected += type.wireType
        }
        try check(reply, has: expected, member)
        var body = reply.body
        return (repeat try body.read(each results))
    }

    /// Reads a property.
    ///
    /// - Throws: ``DBusError`` as ``Connection/call(_:timeout:)``, and with code `invalidSignature` if the property is
    ///   of another type at the peer.
    public func property<Contents: WireCodable>(
        _ member: MemberName, as type: Contents.Type = Contents.self
    ) async throws(DBusError) -> Contents {
        let reply = try await call(Self.properties, "Get") { (writer) throws(DBusError) in
            try writer.write(name.text)
            try writer.write(member.text)
        }
        try check(reply, has: "v", member)
        var body = reply.body
        return try body.variant { (reader) throws(DBusError) in
            let found = try reader.nextType()
            guard found.text == Contents.wireType else {
                throw mismatch(member, expected: Contents.wireType, found: found.text)
            }
            return try reader.read()
        }
    }

    /// Writes a property and waits until the peer has taken it.
    ///
    /// - Throws: ``DBusError`` as ``Connection/call(_:timeout:)``, and with code `invalidSignature` if the peer answers
    ///   with results.
    public func setProperty(_ member: MemberName, to value: some WireCodable) async throws(DBusError) {
        let reply = try await call(Self.properties, "Set") { (writer) throws(DBusError) in
            try writer.write(name.text)
            try writer.write(member.text)
            try writer.variant(value)
        }
        try check(reply, has: "", member)
    }

    /// The signals of one kind that the object sends, for one consumer; see ``RemoteSignals``.
    ///
    /// At most `capacity` signals wait; what comes then is dropped, and the next element says how many were.
    public func signals<Contents: SignalContents>(
        _ type: Contents.Type, capacity: Int = 256
    ) -> RemoteSignals<Contents> {
        let rule = MatchRule(
            sender: destination, path: path, interface: Contents.interface, member: Contents.member)
        return RemoteSignals(connection.signals(matching: rule, capacity: capacity))
    }

    private func call(
        _ interface: InterfaceName, _ member: MemberName, body: (inout Writer) throws(DBusError) -> Void
    ) async throws(DBusError) -> Message {
        let message = try Message.methodCall(to: destination, path, interface, member, body: body)
        return try await connection.call(message, timeout: timeout)
    }

    private func check(_ reply: Message, has signature: String, _ member: MemberName) throws(DBusError) {
        guard reply.hasSignature(signature) else {
            throw mismatch(member, expected: signature, found: reply.signature.text)
        }
    }

    private func mismatch(_ member: MemberName, expected: String, found: String) -> DBusError {
        DBusError(.invalidSignature, "\(name).\(member) is to give (\(expected)), but \(destination) gave (\(found))")
    }
}
