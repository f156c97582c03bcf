// SPDX-License-Identifier: MIT

import CDBus
import Glibc

/// libdbus's side of a connection: it reads, hands on what has come, and sends what has gathered.
///
/// Confined to the loop's thread once attached; nothing else touches the libdbus connection.
final class Transport: EventLoop.Source, @unchecked Sendable {
    /// A message to send, and who wants its serial number.
    struct Parcel {
        let message: Message
        let sent: ((_ serial: UInt32) -> Void)?
    }

    /// So many messages are handled before the replies to them are sent: those that have gathered wake the receiver
    /// once.
    private static let batchSize = 64
    /// With so many bytes waiting to be sent nothing more is read: a peer that asks without end and a bus that takes
    /// nothing do not fill the memory.
    private static let outgoingLimit = 32 << 20
    /// The time that closing may take to send what waits.
    private static let closingLimit = Duration.seconds(2)

    let uniqueName: BusName
    /// Gets what arrives, on the loop's thread.
    weak var receiver: Connection?

    private let raw: OpaquePointer
    private let watches = WatchSet()
    private var outbox: [Parcel] = []
    let descriptor: Int32

    /// Connects and says hello to the bus, which blocks.
    ///
    /// - Throws: ``DBusError`` as libdbus reports it.
    init(_ address: BusAddress) throws(DBusError) {
        let opened = try DBusError.catching { dbus_connection_open_private(address.text, $0) }
        guard let raw = opened else { throw DBusError.outOfMemory }
        do throws(DBusError) {
            // libdbus would end the process when the bus goes.
            dbus_connection_set_exit_on_disconnect(raw, 0)
            // It would also stop reading while 63 MiB of messages are held, and no reply would come any more. Those
            // who hold messages have bounds of their own.
            dbus_connection_set_max_received_size(raw, .max)
            _ = try DBusError.catching { dbus_bus_register(raw, $0) }
            var descriptor: Int32 = -1
            guard let name = dbus_bus_get_unique_name(raw),
                dbus_connection_get_unix_fd(raw, &descriptor) != 0,
                watches.install(on: raw)
            else { throw DBusError.outOfMemory }
            self.descriptor = descriptor
            uniqueName = BusName(unchecked: String(cString: name))
        } catch {
            dbus_connection_close(raw)
            dbus_connection_unref(raw)
            throw error
        }
        self.raw = raw
    }

    deinit {
        watches.uninstall(from: raw)
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    /// Queues a message; it is sent before the loop next sleeps.
    func send(_ parcel: Parcel) {
        outbox.append(parcel)
    }

    /// Sends what waits, for a limited time, and reads no more.
    func close() {
        flush()
        let deadline = ContinuousClock.now + Self.closingLimit
        while dbus_connection_has_messages_to_send(raw) != 0 {
            // The bus has its chance once more after the deadline: this thread may have had no turn meanwhile.
            let isLast = ContinuousClock.now >= deadline
            var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&writable, 1, isLast ? 0 : 100) >= 0 else { break }
            watches.handle(events: writable.revents)
            if isLast { break }
        }
        watches.uninstall(from: raw)
        dbus_connection_close(raw)
    }

    var events: Int16 {
        let isCongested = dbus_connection_get_outgoing_size(raw) > Self.outgoingLimit
        return watches.events(reading: !isCongested)
    }

    func handle(events: Int16) {
        watches.handle(events: events)
    }

    var hasWork: Bool { !outbox.isEmpty }

    func process() -> Bool {
        var budget = Self.batchSize
        while budget > 0, let next = dbus_connection_pop_message(raw) {
            budget -= 1
            receiver?.receive(Message(receiving: next))
        }
        flush()
        return budget == 0 || !outbox.isEmpty
    }

    func loopEnded() {
        receiver?.end(with: DBusError(.disconnected, "the event loop has ended"))
    }

    private func flush() {
        while !outbox.isEmpty {
            let parcels = outbox
            outbox = []
            for parcel in parcels {
                let serial = send(parcel.message.raw)
                parcel.sent?(serial)
            }
        }
    }

    /// Has libdbus send a message.
    ///
    /// - Returns: its number; 0 without memory.
    private func send(_ message: OpaquePointer) -> UInt32 {
        guard dbus_message_get_serial(message) == 0 else {
            // It has been sent, or has come, before. libdbus would send it under its old number, which another call
            // can have.
            guard let copy = dbus_message_copy(message) else { return 0 }
            defer { dbus_message_unref(copy) }
            return send(copy)
        }
        var serial: dbus_uint32_t = 0
        return dbus_connection_send(raw, message, &serial) != 0 ? serial : 0
    }
}
