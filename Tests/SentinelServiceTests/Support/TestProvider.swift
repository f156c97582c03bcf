// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport

/// An application with a provider that does what a test tells it.
final class TestProvider: Provider1Handler, @unchecked Sendable {
    static let path: ObjectPath = "/com/example/Provider"

    /// What it does with a call; the calls are on the loop's thread of its client.
    struct Behaviour: Sendable {
        var readPreference: @Sendable (String, Reply<Value>) -> Void = { _, reply in reply(.string("")) }
        var writePreference: @Sendable (String, Value, Reply<Value>) -> Void = { _, value, reply in reply(value) }
        var content: @Sendable (String, Reply<[Section]>) -> Void = { _, reply in reply([]) }
        var setItem: @Sendable (String, Value, Reply<Value>) -> Void = { _, value, reply in reply(value) }
        var invoke: @Sendable (String, [Key: Value], Reply<[Key: Value]>) -> Void = { _, values, reply in
            reply(values)
        }
    }

    let client: TestClient
    /// The object of the application.
    private(set) var application: ObjectPath = "/"
    /// The members that were called, with the key, tool or item.
    let calls = Recorder<String>()
    /// Calls that a test wants to answer later, or never.
    let held = Recorder<MethodCall>()
    private let behaviour: Behaviour

    /// Connects, offers the provider and registers it with the service; nil where there is none.
    init(_ id: String?, on bus: PrivateBus, _ behaviour: Behaviour) async throws {
        client = try TestClient(on: bus)
        self.behaviour = behaviour
        await withCheckedContinuation { continuation in
            client.connection.loop.enqueue { [self] in
                client.connection.objects.export(
                    ExportedObject([Provider1Implementation(self)]), at: Self.path)
                continuation.resume()
            }
        }
        if let id {
            application = try await client.register(id, ["provider": .objectPath(Self.path)])
        }
    }

    /// Takes its object back and disconnects; without that the two would hold each other.
    func end() {
        client.connection.loop.enqueue { [client] in client.connection.objects.removeAll() }
        client.close()
    }

    /// The application's tools, called through a client.
    func tools(through client: TestClient) -> Tools1Proxy { client.tools(at: application) }

    func readPreference(key: String, reply: Reply<Value>) {
        calls.append("ReadPreference \(key)")
        behaviour.readPreference(key, reply)
    }

    func writePreference(key: String, value: Value, reply: Reply<Value>) {
        calls.append("WritePreference \(key)")
        behaviour.writePreference(key, value, reply)
    }

    func content(tool: String, reply: Reply<[Section]>) {
        calls.append("Content \(tool)")
        behaviour.content(tool, reply)
    }

    func setItem(tool: String, item: String, value: Value, reply: Reply<Value>) {
        calls.append("SetItem \(item)")
        behaviour.setItem(item, value, reply)
    }

    func invoke(tool: String, action: String, parameters: [Key: Value], reply: Reply<[Key: Value]>) {
        calls.append("Invoke \(action)")
        behaviour.invoke(action, parameters, reply)
    }
}

extension TestClient {
    /// The tools of an application, by the path that `Register` gave.
    func tools(at path: ObjectPath) -> Tools1Proxy {
        Tools1Proxy(connection, destination: Self.service, path: path)
    }
}

extension ToolDeclaration {
    /// A tool of one section.
    init(_ id: String, live: Bool = false, _ items: [Item]) {
        self.init(
            id: id, name: "Tool \(id)", kind: "table",
            screen: [Section(id: "main", title: "Main", items: items, attributes: [:])],
            attributes: live ? ["live": .boolean(true)] : [:])
    }
}

extension Item {
    /// An item with a title made of its id.
    static func of(_ id: String, _ kind: String, _ value: Value, _ attributes: [Key: Value] = [:]) -> Item {
        Item(id: id, kind: kind, title: "Item \(id)", value: value, attributes: attributes)
    }
}

extension Value {
    /// Choices as an item has them.
    static func choices(_ choices: [(Value, String)]) throws -> Value {
        .array(
            try ArrayValue(
                choices.map { .structure([.variant($0.0), .string($0.1)]) }, elementType: "(vs)"))
    }

    /// Parameters as an action has them.
    static func parameters(_ parameters: [(name: String, kind: String, attributes: [Key: Value])]) throws -> Value {
        .array(
            try ArrayValue(
                parameters.map {
                    .structure([.string($0.name), .string($0.kind), .string("T"), .options($0.attributes)])
                }, elementType: "(sssa{sv})"))
    }
}
