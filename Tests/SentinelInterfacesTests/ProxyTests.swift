// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import Testing

/// Proxies and implementations, each against the other over a bus.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProxyTests {
    private let bus: BusFixture

    init() throws {
        bus = try BusFixture()
    }

    @Test("a call brings its arguments there and its results back")
    func call() async throws {
        await bus.export(at: "/provider") { Provider1Implementation(SampleProvider()) }
        let proxy = Provider1Proxy(bus.client, destination: bus.server.uniqueName, path: "/provider")
        #expect(try await proxy.content(tool: "t") == [Samples.section])
        let written = try await proxy.setItem(tool: "t", item: "i", value: .string("é"))
        #expect(written == .options(["tool": .string("t"), "item": .string("i"), "value": .string("é")]))
        #expect(try await proxy.invoke(tool: "t", action: "a", parameters: Samples.attributes) == Samples.attributes)
    }

    @Test("an error of the handler reaches the caller, at once or later")
    func errors() async throws {
        await bus.export(at: "/provider") { Provider1Implementation(SampleProvider()) }
        let proxy = Provider1Proxy(bus.client, destination: bus.server.uniqueName, path: "/provider")
        let error = await #expect(throws: DBusError.self) { try await proxy.readPreference(key: "none") }
        #expect(error?.code == "org.sentinel.Error.UnknownPreference")
        #expect(error?.message == "no such key")
    }

    @Test("several results come back with their names")
    func severalResults() async throws {
        await bus.export(at: "/events") { FixedReply(Events1.description) { Reply<UInt64, UInt64>($0)(3, 4) } }
        let proxy = Events1Proxy(bus.client, destination: bus.server.uniqueName, path: "/events")
        let counts = try await proxy.import(
            file: try FileDescriptor(duplicating: 0), format: "csv", options: [:])
        #expect(counts.recorded == 3)
        #expect(counts.skipped == 4)
    }

    @Test("a reply of other types is an error, not a wrong value")
    func mismatch() async throws {
        await bus.export(at: "/events") { FixedReply(Events1.description) { Reply<UInt32>($0)(3) } }
        let proxy = Events1Proxy(bus.client, destination: bus.server.uniqueName, path: "/events")
        let error = await #expect(throws: DBusError.self) { try await proxy.count(filter: [:]) }
        #expect(error?.code == .invalidSignature)
        #expect(error?.message.contains("org.sentinel.Events1.Count is to give (t)") == true)
        await #expect(throws: DBusError.self) { try await proxy.resume() }
        let property = await #expect(throws: DBusError.self) { try await proxy.eventCount() }
        #expect(property?.code == .invalidSignature)
    }

    @Test("properties are read and written")
    func properties() async throws {
        await bus.export(at: "/log") { LogControl1Implementation(SampleLog()) }
        let proxy = LogControl1Proxy(bus.client, destination: bus.server.uniqueName, path: "/log")
        #expect(try await proxy.logLevel() == "info")
        try await proxy.setLogLevel("debug")
        #expect(try await proxy.logLevel() == "debug")
        let refusal = await #expect(throws: DBusError.self) { try await proxy.setLogLevel("loud") }
        #expect(refusal?.code == .invalidArgs)
        let absence = await #expect(throws: DBusError.self) { try await proxy.logTarget() }
        #expect(absence?.code == .notSupported)
        let readOnly = await #expect(throws: DBusError.self) {
            try await proxy.remote.setProperty("SyslogIdentifier", to: "x")
        }
        #expect(readOnly?.code == .propertyReadOnly)
    }

    @Test("signals of the object arrive typed, those of others or of other types do not")
    func signals() async throws {
        let proxy = NotificationProxy(bus.client, destination: bus.server.uniqueName, path: "/here")
        let stream = proxy.signals(Notification.Trigger.self)
        // The bus has the subscription before it answers this.
        await bus.export(at: "/log") { LogControl1Implementation(SampleLog()) }
        let log = LogControl1Proxy(bus.client, destination: bus.server.uniqueName, path: "/log")
        #expect(try await log.syslogIdentifier() == "sentineld")
        try send("elsewhere", from: "/there")
        try send(UInt32(1), from: "/here")
        try send("a.b", from: "/here")
        var iterator = stream.makeAsyncIterator()
        guard case .signal(let trigger)? = try await iterator.next() else {
            Issue.record("no signal")
            return
        }
        #expect(trigger == Notification.Trigger(applicationID: "a.b"))
    }

    private func send(_ argument: some WireCodable, from path: ObjectPath) throws {
        bus.server.send(
            try Message.signal(from: path, Notification.name, "Trigger") { (writer) throws(DBusError) in
                try writer.write(argument)
            })
    }
}

private final class SampleProvider: Provider1Handler {
    func readPreference(key: String, reply: Reply<Value>) {
        reply.fail(DBusError("org.sentinel.Error.UnknownPreference", "no such key"))
    }

    func writePreference(key: String, value: Value, reply: Reply<Value>) {
        reply(value)
    }

    func content(tool: String, reply: Reply<[Section]>) {
        reply([Samples.section])
    }

    func setItem(tool: String, item: String, value: Value, reply: Reply<Value>) {
        reply(.options(["tool": .string(tool), "item": .string(item), "value": value]))
    }

    func invoke(tool: String, action: String, parameters: [Key: Value], reply: Reply<[Key: Value]>) {
        // Answered off the loop's thread, later.
        Task { reply(parameters) }
    }
}

private final class SampleLog: LogControl1Handler {
    private(set) var logLevel = "info"
    let syslogIdentifier = "sentineld"

    var logTarget: String {
        get throws(DBusError) { throw DBusError(.notSupported, "there is no target") }
    }

    func setLogLevel(_ value: String, reply: Reply<>) {
        guard value == "debug" else { return reply.fail(DBusError(.invalidArgs, "no such level")) }
        logLevel = value
        reply()
    }

    func setLogTarget(_ value: String, reply: Reply<>) {
        reply()
    }
}

/// Answers every method in one way, whatever the interface says, and has text for every property.
private final class FixedReply: InterfaceImplementation {
    let description: InterfaceDescription
    private let answer: (MethodCall) -> Void

    init(_ description: InterfaceDescription, _ answer: @escaping (MethodCall) -> Void) {
        self.description = description
        self.answer = answer
    }

    func invoke(_ index: Int, _ call: MethodCall) throws(DBusError) {
        answer(call)
    }

    func property(_ index: Int) throws(DBusError) -> any WireCodable {
        "text"
    }
}
