// SPDX-License-Identifier: MIT

import CDBus

/// A message of the bus: complete, and never changed again.
///
/// It may be read on any thread.
public final class Message: @unchecked Sendable {
    /// The kinds of message.
    public enum Kind: Sendable {
        /// Calls a method.
        case methodCall
        /// Answers a call with results.
        case methodReturn
        /// Answers a call with an error.
        case error
        /// Tells whoever listens.
        case signal
    }

    /// libdbus's message, of which this object holds one reference.
    let raw: OpaquePointer
    /// The size of a message that has come, for those who must not hold too much; 0 for one made here.
    public let byteCount: Int
    /// Closes the descriptors that have come with the message; nil without any, and for one made here.
    let closing: DescriptorClosing?

    /// Takes over a reference to a message that has come.
    convenience init(receiving raw: OpaquePointer) {
        let hasDescriptors = dbus_message_contains_unix_fds(raw) != 0
        self.init(
            owning: raw, byteCount: Self.byteCount(of: raw), closing: hasDescriptors ? DescriptorClosing() : nil)
    }

    /// Takes over a reference.
    init(owning raw: OpaquePointer, byteCount: Int = 0, closing: DescriptorClosing? = nil) {
        self.raw = raw
        self.byteCount = byteCount
        self.closing = closing
        // libdbus turns a message of the other byte order around when it is first read; do that before it is shared.
        var iterator = DBusMessageIter()
        dbus_message_iter_init(raw, &iterator)
    }

    deinit {
        guard let closing else { return dbus_message_unref(raw) }
        nonisolated(unsafe) let raw = raw
        closing.enqueue { dbus_message_unref(raw) }
    }

    /// The size of a whole message, which libdbus tells with a copy only. It must not be shared yet.
    private static func byteCount(of raw: OpaquePointer) -> Int {
        var bytes: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(raw, &bytes, &count) != 0 else { return 0 }
        dbus_free(bytes)
        return Int(count)
    }
}

// MARK: - Header

extension Message {
    /// The kind of message; nil for one that later versions of the protocol may bring.
    public var kind: Kind? {
        switch dbus_message_get_type(raw) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: .methodReturn
        case DBUS_MESSAGE_TYPE_ERROR: .error
        case DBUS_MESSAGE_TYPE_SIGNAL: .signal
        default: nil
        }
    }

    /// The unique name of the sender, which the bus vouches for; nil off a bus.
    public var sender: BusName? { checked(dbus_message_get_sender(raw)) }
    /// The name that the message is sent to; nil for a broadcast.
    public var destination: BusName? { checked(dbus_message_get_destination(raw)) }
    /// The object that is called or that signals.
    public var path: ObjectPath? { checked(dbus_message_get_path(raw)) }
    /// The interface; a call may leave it out.
    public var interface: InterfaceName? { checked(dbus_message_get_interface(raw)) }
    /// The method or signal.
    public var member: MemberName? { checked(dbus_message_get_member(raw)) }
    /// The error's name.
    public var errorName: ErrorName? { checked(dbus_message_get_error_name(raw)) }
    /// The signature of the body.
    public var signature: Signature { checked(dbus_message_get_signature(raw)) ?? Signature(unchecked: "") }
    /// The number of the message on its connection; 0 before it is sent.
    public var serial: UInt32 { dbus_message_get_serial(raw) }
    /// The number of the call that this message answers; 0 if it answers none.
    public var replySerial: UInt32 { dbus_message_get_reply_serial(raw) }
    /// Whether the sender waits for a reply.
    public var wantsReply: Bool { dbus_message_get_no_reply(raw) == 0 }

    /// Whether file descriptors came with the message.
    var hasDescriptors: Bool { dbus_message_contains_unix_fds(raw) != 0 }

    /// A reader of the body.
    public var body: Reader { Reader(self) }

    /// Whether the body has just this signature.
    func hasSignature(_ signature: String) -> Bool {
        dbus_message_has_signature(raw, signature) != 0
    }

    /// What an error message says, as an error; nil for other kinds.
    public var error: DBusError? {
        guard kind == .error else { return nil }
        var reader = body
        return DBusError(errorName ?? .failed, reader.optionalText() ?? "the peer gives no reason")
    }

    private func checked<Syntax>(_ text: UnsafePointer<CChar>?) -> Checked<Syntax>? {
        text.map { Checked(unchecked: String(cString: $0)) }
    }
}

// MARK: - Making messages

extension Message {
    /// Makes a method call; `body` writes its arguments.
    ///
    /// - Throws: as ``Writer/write(_:)``.
    public static func methodCall(
        to destination: BusName, _ path: ObjectPath, _ interface: InterfaceName?, _ member: MemberName,
        wantsReply: Bool = true, startsService: Bool = true,
        body: (inout Writer) throws(DBusError) -> Void = { _ in }
    ) throws(DBusError) -> Message {
        try checkLength(of: path)
        let raw = dbus_message_new_method_call(destination.text, path.text, interface?.text, member.text)
        return try make(raw, body: body) { raw in
            dbus_message_set_no_reply(raw, wantsReply ? 0 : 1)
            dbus_message_set_auto_start(raw, startsService ? 1 : 0)
        }
    }

    /// Makes a signal, for one receiver if `destination` is given; `body` writes its arguments.
    ///
    /// - Throws: as ``Writer/write(_:)``.
    public static func signal(
        from path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, to destination: BusName? = nil,
        body: (inout Writer) throws(DBusError) -> Void = { _ in }
    ) throws(DBusError) -> Message {
        try checkLength(of: path)
        let raw = dbus_message_new_signal(path.text, interface.text, member.text)
        return try make(raw, body: body) { raw in
            if let destination {
                dbus_message_set_destination(raw, destination.text)
            }
        }
    }

    /// Makes the reply to a call; `body` writes the results.
    static func reply(
        to call: Message, body: (inout Writer) throws(DBusError) -> Void
    ) throws(DBusError) -> Message {
        try make(dbus_message_new_method_return(call.raw), body: body)
    }

    /// Makes the reply to a call that failed.
    static func reply(to call: Message, error: DBusError) throws(DBusError) -> Message {
        let raw = dbus_message_new_error(call.raw, error.code.text, nil)
        return try make(raw) { (writer) throws(DBusError) in
            var text = String.UnicodeScalarView()
            text.append(contentsOf: error.message.unicodeScalars.lazy.filter { $0 != "\0" }.prefix(longestErrorText))
            try writer.write(String(text))
        }
    }

    /// An error's text is cut here, so that an error can always be sent.
    private static let longestErrorText = 64 << 10

    /// Refuses a path that does not fit into the part of a message that is kept for its header; names always do.
    private static func checkLength(of path: ObjectPath) throws(DBusError) {
        guard path.text.utf8.count <= Writer.headerAllowance / 2 else {
            throw DBusError(.limitsExceeded, "the object path is longer than \(Writer.headerAllowance / 2) bytes")
        }
    }

    private static func make(
        _ raw: OpaquePointer?,
        body: (inout Writer) throws(DBusError) -> Void,
        prepare: (OpaquePointer) -> Void = { _ in }
    ) throws(DBusError) -> Message {
        guard let raw else { throw DBusError.outOfMemory }
        prepare(raw)
        do {
            var writer = Writer(raw)
            try body(&writer)
        } catch {
            dbus_message_unref(raw)
            throw error
        }
        return Message(owning: raw)
    }
}
