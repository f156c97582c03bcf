// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// A tool of the service itself.
protocol ServiceTool: AnyObject {
    /// Id, name and kind, with what there is to say of it.
    var entry: ToolEntry { get }

    /// Makes what it shows; `completion` is called on the loop's thread.
    func content(completion: @escaping @Sendable (Result<[Section], SentinelError>) -> Void)

    /// Changes the value of an item.
    ///
    /// - Throws: `unknownItem`, `readOnly`.
    func set(_ item: String, to value: Value, reply: Reply<Value>) throws(SentinelError)

    /// Lets go of what is under way, at the end of the service.
    func stop()
}

extension ServiceTool {
    func stop() {}

    func set(_ item: String, to value: Value, reply: Reply<Value>) throws(SentinelError) {
        throw SentinelError(.readOnly, "what the tool \(entry.id) shows cannot be changed")
    }
}

/// `org.sentinel.Tools1` of the service: its tools are its own, and nobody else's to declare.
///
/// Confined to the loop's thread.
final class ServiceTools: Tools1Handler {
    private let tools: [any ServiceTool]

    /// Offers tools, in this order.
    init(_ tools: [any ServiceTool]) {
        self.tools = tools
    }

    /// How many there are.
    var count: Int { tools.count }

    /// The tools as JSON. What they show is made when it is asked for, as that of live tools is, and is no part of it.
    var document: JSONValue {
        .array(
            tools.map(\.entry).map { entry in
                [
                    "id": .string(entry.id), "name": .string(entry.name), "kind": .string(entry.kind),
                    "values": .object([]),
                ]
            })
    }

    /// Lets go of what is under way, at the end of the service.
    func stop() {
        for tool in tools {
            tool.stop()
        }
    }

    func list(reply: Reply<[ToolEntry]>) {
        reply(tools.map(\.entry))
    }

    func content(tool: String, reply: Reply<[Section]>) {
        reply.attempt {
            try find(tool).content { result in
                reply.attempt { reply(try result.get()) }
            }
        }
    }

    func set(tool: String, item: String, value: Value, reply: Reply<Value>) {
        reply.attempt { try find(tool).set(item, to: value, reply: reply) }
    }

    func invoke(tool: String, action: String, parameters: [Key: Value], reply: Reply<[Key: Value]>) {
        reply.attempt {
            let tool = try find(tool).entry.id
            throw SentinelError(
                .unknownAction, "the tool \(tool) of the service has no action \(ShownText.make(action, limit: 255))")
        }
    }

    func declare(tools: [ToolDeclaration], reply: Reply<>) {
        refuse(reply, unless: tools.isEmpty)
    }

    func remove(tools: [String], reply: Reply<>) {
        refuse(reply, unless: tools.isEmpty)
    }

    func update(tool: String, values: [Key: Value], reply: Reply<>) {
        reply.attempt {
            _ = try find(tool)
            refuse(reply, unless: values.isEmpty)
        }
    }

    private func refuse(_ reply: Reply<>, unless changesNothing: Bool) {
        reply.attempt {
            guard changesNothing else {
                throw SentinelError(.accessDenied, "the tools of the service are its own; register an application")
            }
            reply()
        }
    }

    private func find(_ id: String) throws(SentinelError) -> any ServiceTool {
        guard let tool = tools.first(where: { $0.entry.id.utf8.elementsEqual(id.utf8) }) else {
            throw SentinelError(.unknownTool, "the service has no tool \(ShownText.make(id, limit: 255))")
        }
        return tool
    }
}
