// SPDX-License-Identifier: MIT

/// Writes what calls an interface of a peer.
enum ProxyEmitter {
    /// The file with all proxies.
    static func source(_ contract: Contract) -> String {
        var writer = SourceWriter()
        for interface in contract.interfaces {
            writer.line()
            emit(interface, to: &writer)
        }
        return writer.text
    }

    private static func emit(_ interface: Interface, to writer: inout SourceWriter) {
        writer.documentation([
            "Calls `\(interface.name)` of an object of a peer; ``\(interface.baseName)`` says what holds for all of it."
        ])
        writer.block("public struct \(interface.baseName)Proxy: Sendable") { writer in
            writer.documentation(["Where the calls go."])
            writer.line("public let remote: RemoteInterface")
            writer.line()
            writer.documentation([
                "Makes a proxy; nothing is asked yet.",
                "",
                "- Parameters:",
                "  - connection: The connection to call through.",
                "  - destination: The peer's bus name.",
                "  - path: The object.",
                "  - timeout: How long a reply is waited for.",
            ])
            writer.line("public init(")
            writer.indented { writer in
                writer.line(
                    "_ connection: Connection, destination: BusName, path: ObjectPath, "
                        + "timeout: Duration = .seconds(25)")
            }
            writer.block(")") { writer in
                writer.line("remote = RemoteInterface(")
                writer.indented { writer in
                    writer.line(
                        "\(interface.baseName).name, of: path, at: destination, on: connection, timeout: timeout)")
                }
            }
            for method in interface.methods {
                writer.line()
                emit(method, to: &writer)
            }
            for property in interface.properties {
                writer.line()
                emit(property, to: &writer)
            }
            if !interface.signals.isEmpty {
                writer.line()
                emitSignals(interface, to: &writer)
            }
        }
    }

    private static func emit(_ method: Method, to writer: inout SourceWriter) {
        var text = DocumentationText(method.documentation, arguments: method.arguments + method.results)
        text.addParameters(method.arguments)
        text.addReturns(method.results)
        text.addThrows()
        writer.documentation(text.lines)
        let parameters = method.arguments.map { "\(SwiftName.escaped($0.swiftName)): \($0.type.swift)" }
        let head = "public func \(SwiftName.escaped(method.swiftName))(\(parameters.joined(separator: ", ")))"
        writer.block("\(head) async throws(DBusError)\(returned(method.results))") { writer in
            var arguments = ["\"\(method.name)\""] + method.arguments.map { SwiftName.escaped($0.swiftName) }
            for (index, result) in method.results.enumerated() {
                arguments.append((index == 0 ? "returning: " : "") + "\(result.type.swift).self")
            }
            writer.line("try await remote.call(\(arguments.joined(separator: ", ")))")
        }
    }

    /// The type of what a call returns.
    private static func returned(_ results: [Argument]) -> String {
        let labelled = results.map { "\(SwiftName.escaped($0.swiftName)): \($0.type.swift)" }
        return switch results.count {
        case 0: ""
        case 1: " -> \(results[0].type.swift)"
        default: " -> (\(labelled.joined(separator: ", ")))"
        }
    }

    private static func emit(_ property: Property, to writer: inout SourceWriter) {
        var text = DocumentationText(property.documentation)
        text.addThrows()
        writer.documentation(text.lines)
        let head = "public func \(SwiftName.escaped(property.swiftName))() async throws(DBusError)"
        writer.block("\(head) -> \(property.type.swift)") { writer in
            writer.line("try await remote.property(\"\(property.name)\")")
        }
        guard property.isWritable else { return }
        writer.line()
        text = DocumentationText(property.documentation.ofWriting(property.name))
        text.addThrows()
        writer.documentation(text.lines)
        let setter = "public func \(property.setterName)(_ value: \(property.type.swift)) async throws(DBusError)"
        writer.block(setter) { writer in
            writer.line("try await remote.setProperty(\"\(property.name)\", to: value)")
        }
    }

    private static func emitSignals(_ interface: Interface, to writer: inout SourceWriter) {
        writer.documentation([
            "The signals of one kind that the object sends, for one consumer.",
            "",
            "At most `capacity` signals wait; what comes then is dropped, and the next element says how many were.",
        ])
        writer.line("public func signals<Contents: SignalContents>(")
        writer.indented { $0.line("_ type: Contents.Type, capacity: Int = 256") }
        writer.block(") -> RemoteSignals<Contents>") { writer in
            writer.line("remote.signals(type, capacity: capacity)")
        }
    }
}
