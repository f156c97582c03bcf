// SPDX-License-Identifier: MIT

import CDBus
@testable import DBus

/// Messages as bytes.
enum Wire {
    /// Makes a signal whose body is written by `body`.
    static func message(_ body: (inout Writer) throws(DBus.DBusError) -> Void) throws -> Message {
        try Message.signal(from: "/test", "org.sentinel.Test", "Changed", body: body)
    }

    /// Sends a message through its bytes, as a peer would get it: libdbus validates them.
    static func roundTrip(_ message: Message) throws -> Message {
        try parse(bytes(of: message))
    }

    /// The bytes of a message, which is given a number.
    static func bytes(of message: Message, serial: UInt32 = 1) throws -> [UInt8] {
        guard let copy = dbus_message_copy(message.raw) else { throw DBus.DBusError.outOfMemory }
        defer { dbus_message_unref(copy) }
        dbus_message_set_serial(copy, serial)
        var start: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(copy, &start, &count) != 0, let start else { throw DBus.DBusError.outOfMemory }
        defer { dbus_free(start) }
        return start.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
            Array(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
    }

    /// The bytes of a reply to a call that its sender has never seen.
    static func reply(
        to destination: BusName, serial: UInt32, from sender: BusName? = nil,
        _ body: (inout Writer) throws(DBus.DBusError) -> Void = { _ in }
    ) throws -> [UInt8] {
        guard let raw = dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN) else { throw DBus.DBusError.outOfMemory }
        dbus_message_set_destination(raw, destination.text)
        dbus_message_set_sender(raw, sender?.text)
        dbus_message_set_reply_serial(raw, serial)
        var writer = Writer(raw)
        try body(&writer)
        return try bytes(of: Message(owning: raw), serial: 77)
    }

    /// Reads a message from bytes.
    static func parse(_ bytes: [UInt8]) throws -> Message {
        let raw = try DBus.DBusError.catching { error in
            bytes.withUnsafeBytes { buffer in
                dbus_message_demarshal(
                    buffer.assumingMemoryBound(to: CChar.self).baseAddress, Int32(buffer.count), error)
            }
        }
        guard let raw else { throw DBus.DBusError.outOfMemory }
        return Message(receiving: raw)
    }

    /// Writes a value as a variant, sends it through bytes and reads it.
    static func roundTrip(_ value: Value) throws -> Value {
        let message = try roundTrip(message { (writer) throws(DBus.DBusError) in try writer.write(value) })
        var reader = message.body
        let read = try reader.read(Value.self)
        guard reader.isAtEnd else { throw DBus.DBusError(.failed, "something is left") }
        return read
    }

    /// Writes a typed value, sends it through bytes and reads it.
    static func roundTrip<Element: WireCodable>(_ element: Element) throws -> Element {
        let message = try roundTrip(message { (writer) throws(DBus.DBusError) in try writer.write(element) })
        var reader = message.body
        let read = try reader.read(Element.self)
        guard reader.isAtEnd, message.signature.text == Element.wireType else {
            throw DBus.DBusError(.failed, "another signature: \(message.signature)")
        }
        return read
    }
}
