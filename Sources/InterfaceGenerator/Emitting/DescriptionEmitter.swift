// SPDX-License-Identifier: MIT

/// Writes what each interface consists of: its description, the places of its properties, its signals.
enum DescriptionEmitter {
    /// The file with all descriptions.
    static func source(_ contract: Contract) -> String {
        var writer = SourceWriter()
        for interface in contract.interfaces {
            writer.line()
            emit(interface, to: &writer)
        }
        return writer.text
    }

    private static func emit(_ interface: Interface, to writer: inout SourceWriter) {
        writer.documentation(DocumentationText(interface.documentation).lines)
        let conformance = interface.properties.isEmpty ? "" : ": InterfaceWithProperties"
        writer.block("public enum \(interface.baseName)\(conformance)") { writer in
            writer.documentation(["The name of the interface."])
            writer.line("public static let name: InterfaceName = \"\(interface.name)\"")
            writer.line()
            emitDescription(interface, to: &writer)
            if !interface.properties.isEmpty {
                writer.line()
                emitProperties(interface, to: &writer)
            }
            for signal in interface.signals {
                writer.line()
                emit(signal, of: interface, to: &writer)
            }
        }
    }

    private static func emitDescription(_ interface: Interface, to writer: inout SourceWriter) {
        writer.documentation(["What the interface consists of."])
        writer.line("public static let description = InterfaceDescription(")
        writer.indented { writer in
            writer.line("name,")
            emitArray(
                "methods",
                interface.methods.map { method in
                    "InterfaceDescription.Method(\"\(method.name)\", arguments: \"\(method.arguments.signature)\", "
                        + "results: \"\(method.results.signature)\")"
                }, to: &writer)
            emitArray("properties", interface.properties.map(description), to: &writer)
            // A text that has the end of the literal in it is put between more number signs.
            var sign = "#"
            while interface.xml.contains("\"\"\"\(sign)") || interface.xml.contains("\\\(sign)") {
                sign += "#"
            }
            writer.line("xml: \(sign)\"\"\"")
            writer.indented { writer in
                for line in interface.xml.split(separator: "\n") {
                    writer.line(String(line))
                }
                writer.line("\"\"\"\(sign))")
            }
        }
    }

    private static func emitArray(_ label: String, _ elements: [String], to writer: inout SourceWriter) {
        guard !elements.isEmpty else { return }
        writer.line("\(label): [")
        writer.indented { writer in
            for element in elements {
                writer.line("\(element),")
            }
        }
        writer.line("],")
    }

    private static func description(of property: Property) -> String {
        let changeSignal =
            switch property.changeSignal {
            case .value: "value"
            case .invalidation: "invalidation"
            case .constant: "constant"
            case .none: "none"
            }
        return "InterfaceDescription.Property(\"\(property.name)\", type: \"\(property.type.signature)\", "
            + (property.isWritable ? "isWritable: true, " : "") + "changeSignal: .\(changeSignal))"
    }

    private static func emitProperties(_ interface: Interface, to writer: inout SourceWriter) {
        writer.documentation(["The properties; the raw value of each is its place in ``description``."])
        writer.block("public enum Property: Int, CaseIterable, Sendable") { writer in
            for (index, property) in interface.properties.enumerated() {
                writer.documentation(DocumentationText(property.documentation).lines)
                writer.line("case \(SwiftName.escaped(property.swiftName)) = \(index)")
            }
        }
    }

    private static func emit(_ signal: Signal, of interface: Interface, to writer: inout SourceWriter) {
        let members = signal.arguments.map(\.member)
        writer.documentation(DocumentationText(signal.documentation, arguments: signal.arguments).lines)
        writer.block("public struct \(SwiftName.capitalized(signal.name)): SignalContents, Hashable") { writer in
            writer.line("public static let interface: InterfaceName = \"\(interface.name)\"")
            writer.line("public static let member: MemberName = \"\(signal.name)\"")
            writer.line("public static let signature: Signature = \"\(signal.arguments.signature)\"")
            writer.line()
            for (argument, member) in zip(signal.arguments, members) {
                let text = signal.documentation.arguments.first { $0.name == argument.name }?.text ?? []
                writer.documentation(text)
                writer.line("public var \(member.name): \(member.type)")
            }
            if !members.isEmpty {
                writer.line()
            }
            Member.emitInitializer(members, documentation: "Makes the contents of a signal.", to: &writer)
            writer.line()
            writer.block("public init(from reader: inout Reader) throws(DBusError)") { writer in
                for member in members {
                    writer.line("self.\(member.name) = try reader.read()")
                }
            }
            writer.line()
            writer.block("public func write(to writer: inout Writer) throws(DBusError)") { writer in
                for member in members {
                    writer.line("try writer.write(self.\(member.name))")
                }
            }
        }
    }
}
