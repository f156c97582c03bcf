// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport

/// A client of the service: a connection of its own, on a loop of its own. It disconnects when it goes.
final class TestClient: Sendable {
    static let service: BusName = "org.sentinel"

    let connection: Connection

    init(on bus: PrivateBus) throws {
        let loop = try EventLoop.startThread(named: "client")
        connection = try Connection(to: try BusAddress(bus.address), on: loop)
    }

    deinit {
        close()
    }

    /// Disconnects and ends the loop.
    func close() {
        connection.close()
        connection.loop.enqueue { [loop = connection.loop] in loop.stop() }
    }

    /// The name that the bus has given to this client.
    var name: String { connection.uniqueName.text }

    /// The service's front door.
    var sentinel: Sentinel1Proxy {
        Sentinel1Proxy(connection, destination: Self.service, path: "/org/sentinel")
    }

    /// The object of an application, by the path that `Register` gave.
    func application(at path: ObjectPath) -> Application1Proxy {
        Application1Proxy(connection, destination: Self.service, path: path)
    }

    /// The facts of the machine.
    var device: Device1Proxy {
        Device1Proxy(connection, destination: Self.service, path: "/org/sentinel")
    }

    /// The performance of an application, by the path that `Register` gave.
    func performance(at path: ObjectPath) -> Performance1Proxy {
        Performance1Proxy(connection, destination: Self.service, path: path)
    }

    /// All properties of an interface of an object.
    func properties(of interface: InterfaceName, at path: ObjectPath = "/org/sentinel") async throws -> [Key: Value] {
        try await RemoteInterface(
            "org.freedesktop.DBus.Properties", of: path, at: Self.service, on: connection
        ).call("GetAll", interface.text, returning: [Key: Value].self)
    }

    /// The control of the service's log.
    var log: LogControl1Proxy {
        LogControl1Proxy(connection, destination: Self.service, path: "/org/freedesktop/LogControl1")
    }

    /// Registers an application.
    @discardableResult
    func register(_ id: String, _ options: [Key: Value] = [:]) async throws -> ObjectPath {
        try await sentinel.register(applicationID: id, options: options)
    }

    /// The entry of an application in the service's list; nil if there is none.
    func entry(of id: String) async throws -> ApplicationEntry? {
        try await sentinel.listApplications().first { $0.id == id }
    }

    /// The introspection data of an object of the service.
    func introspect(_ path: ObjectPath) async throws -> String {
        try await RemoteInterface(
            "org.freedesktop.DBus.Introspectable", of: path, at: Self.service, on: connection
        ).call("Introspect", returning: String.self)
    }

    /// The objects that the service manages, with their properties.
    func managedObjects() async throws -> [ObjectPath: [Key: [Key: Value]]] {
        try await RemoteInterface(
            "org.freedesktop.DBus.ObjectManager", of: "/org/sentinel", at: Self.service, on: connection
        ).call("GetManagedObjects", returning: [ObjectPath: [Key: [Key: Value]]].self)
    }

    /// Sends a call of `Sentinel1` without waiting; the recorder gets the outcome.
    func send(
        _ member: MemberName, _ id: String, _ options: [Key: Value] = [:],
        to outcomes: Recorder<Result<Message, DBusError>>
    ) throws {
        let message = try Message.methodCall(
            to: Self.service, "/org/sentinel", Sentinel1.name, member
        ) { (writer) throws(DBusError) in
            try writer.write(id)
            try writer.write(options)
        }
        // Where thousands wait, the last waits long.
        connection.call(message, timeout: .seconds(100)) { outcomes.append($0) }
    }

    /// Collects the signals that fit a rule from now on, as long as the subscription lives.
    func record(_ rule: MatchRule) async throws -> (signals: Recorder<Message>, subscription: Subscription) {
        let recorder = Recorder<Message>()
        let subscription = connection.subscribe(to: rule) { recorder.append($0) }
        try await roundTrip()
        return (recorder, subscription)
    }

    /// Collects `PropertiesChanged` of all objects of the service.
    ///
    /// - Parameter includesReadFacts: whether what was read of processes and files is wanted too, which comes when it
    ///   has been read.
    func recordChanges(
        includesReadFacts: Bool = false
    ) async throws -> (signals: Recorder<Message>, subscription: Subscription) {
        let rule = MatchRule(interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
        let recorder = Recorder<Message>()
        let subscription = connection.subscribe(to: rule) { signal in
            // One that cannot be read is for the test to complain of.
            if !includesReadFacts, let change = try? PropertyChange(signal), change.isOfReadFacts { return }
            recorder.append(signal)
        }
        try await roundTrip()
        return (recorder, subscription)
    }

    /// Asks the bus something: when it answers, it has done all that it was told before.
    func roundTrip() async throws {
        _ = try await processID(of: connection.uniqueName)
    }

    /// The process behind a name, as the bus tells.
    func processID(of name: BusName) async throws -> UInt32 {
        try await RemoteInterface(
            "org.freedesktop.DBus", of: "/org/freedesktop/DBus", at: .bus, on: connection
        ).call("GetConnectionUnixProcessID", name.text, returning: UInt32.self)
    }

    /// The unique name of the service.
    func nameOfService() async throws -> String {
        try await RemoteInterface(
            "org.freedesktop.DBus", of: "/org/freedesktop/DBus", at: .bus, on: connection
        ).call("GetNameOwner", Self.service.text, returning: String.self)
    }
}
