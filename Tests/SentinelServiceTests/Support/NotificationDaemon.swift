// SPDX-License-Identifier: MIT

import DBus
import Glibc
import TestSupport

/// A notification server in a process of its own: python-dbusmock's.
final class NotificationDaemon: Sendable {
    /// What it was asked to show.
    struct Notification: Equatable, Sendable {
        let replaced: UInt32
        let icon: String
        let summary: String
        let body: String
        let hints: [Key: Value]
        let expiry: Int32
        /// Keys and labels in order.
        let keys: [String]
        let labels: [String]

        init(_ arguments: [Value]) throws {
            guard arguments.count == 8, try String(arguments[0]) == "Sentinel" else {
                throw TestSupportError("not a notification of Sentinel: \(arguments)")
            }
            replaced = try UInt32(arguments[1])
            icon = try String(arguments[2])
            summary = try String(arguments[3])
            body = try String(arguments[4])
            let actions = try [String](arguments[5])
            keys = stride(from: 0, to: actions.count, by: 2).map { actions[$0] }
            labels = stride(from: 1, to: actions.count, by: 2).map { actions[$0] }
            hints = try [Key: Value](arguments[6])
            expiry = try Int32(arguments[7])
        }
    }

    /// A call as the mock tells it.
    private struct LoggedCall: WireCodable {
        static let wireType = "(tav)"
        let arguments: [Value]

        init(from reader: inout Reader) throws(DBusError) {
            arguments = try reader.structure { (reader) throws(DBusError) in
                _ = try reader.read(UInt64.self)
                return try reader.read()
            }
        }

        init(_ value: Value) throws(DBusError) {
            arguments = try [Value](try value.fields(2, of: Self.self)[1])
        }

        func write(to writer: inout Writer) throws(DBusError) {
            throw DBusError(.notSupported, "it is only read")
        }
    }

    static let name: BusName = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"
    static let interface: InterfaceName = "org.freedesktop.Notifications"
    /// The number of the first notification.
    static let first: UInt32 = 1

    private let process: ChildProcess
    private let client: TestClient

    /// Starts it and waits until it answers: it has its name before.
    init(on bus: PrivateBus, capabilities: String = "actions body body-markup") async throws {
        process = try ChildProcess(
            [
                "/usr/bin/python3", "-m", "dbusmock", "--session", "--template", "notification_daemon", "--parameters",
                "{\"capabilities\": \"\(capabilities)\"}",
            ], environment: bus.environment)
        client = try TestClient(on: bus)
        try await waitUntil("the notification server is there: \(process.errors)") { [client] in
            let call = try Message.methodCall(to: Self.name, Self.path, Self.interface, "GetCapabilities")
            do {
                return try await client.connection.call(call).signature == "as"
            } catch let error as DBusError where error.code == .serviceUnknown || error.code == .unknownMethod {
                return false
            }
        }
    }

    /// What it was asked to show so far.
    func shown() async throws -> [Notification] {
        try await calls("Notify").map { try Notification($0) }
    }

    /// Waits until it was asked to show so many, and gives the last.
    func last(of count: Int) async throws -> Notification {
        try await waitUntil("\(count) notifications") { try await shown().count >= count }
        let all = try await shown()
        guard all.count == count, let last = all.last else {
            throw TestSupportError("\(all.count) notifications, not \(count): \(all)")
        }
        return last
    }

    /// The numbers of those that it was asked to close.
    func closed() async throws -> [UInt32] {
        try await calls("CloseNotification").map { arguments in
            guard let number = arguments.first else { throw TestSupportError("no number") }
            return try UInt32(number)
        }
    }

    /// Has a person press an action.
    func press(_ key: String, of number: UInt32 = first) async throws {
        try await emit("ActionInvoked", "us", [.uint32(number), .string(key)])
    }

    /// Has a person close a notification.
    func close(_ number: UInt32 = first) async throws {
        try await emit("NotificationClosed", "uu", [.uint32(number), .uint32(2)])
    }

    /// Ends it without warning.
    func kill() {
        process.send(SIGKILL)
    }

    private var mock: RemoteInterface {
        RemoteInterface("org.freedesktop.DBus.Mock", of: Self.path, at: Self.name, on: client.connection)
    }

    private func emit(_ member: String, _ signature: String, _ arguments: [Value]) async throws {
        _ = try await mock.call("EmitSignal", Self.interface.text, member, signature, arguments)
    }

    private func calls(_ member: String) async throws -> [[Value]] {
        try await mock.call("GetMethodCalls", member, returning: [LoggedCall].self).map(\.arguments)
    }
}
