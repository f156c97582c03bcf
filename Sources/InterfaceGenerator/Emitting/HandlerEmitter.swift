// SPDX-License-Identifier: MIT

/// Writes the protocols of what implements an interface.
enum HandlerEmitter {
    /// The file with all handlers.
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
            "What implements `\(interface.name)`; ``\(interface.baseName)`` says what holds for all of it.",
            "",
            "All is called on the loop's thread. A reply may be given later, on every thread.",
        ])
        writer.block("public protocol \(interface.baseName)Handler: AnyObject") { writer in
            var isFirst = true
            for method in interface.methods {
                separate(&isFirst, &writer)
                emit(method, to: &writer)
            }
            for property in interface.properties {
                separate(&isFirst, &writer)
                emit(property, to: &writer)
            }
        }
    }

    private static func separate(_ isFirst: inout Bool, _ writer: inout SourceWriter) {
        if !isFirst {
            writer.line()
        }
        isFirst = false
    }

    private static func emit(_ method: Method, to writer: inout SourceWriter) {
        var text = DocumentationText(method.documentation, arguments: method.arguments + method.results)
        text.addErrors()
        text.addAnswers(method.results)
        text.addParameters(method.arguments, and: [("reply", "Takes the answer, once.")])
        writer.documentation(text.lines)
        let parameters = method.arguments.map { "\(SwiftName.escaped($0.swiftName)): \($0.type.swift)" }
        let all = parameters + ["reply: \(reply(method.results))"]
        writer.line("func \(SwiftName.escaped(method.swiftName))(\(all.joined(separator: ", ")))")
    }

    private static func emit(_ property: Property, to writer: inout SourceWriter) {
        writer.documentation(DocumentationText(property.documentation).lines)
        let name = SwiftName.escaped(property.swiftName)
        writer.line("var \(name): \(property.type.swift) { get throws(DBusError) }")
        guard property.isWritable else { return }
        writer.line()
        var text = DocumentationText(property.documentation.ofWriting(property.name))
        text.addErrors()
        text.add(["- Parameters:", "  - value: The new value.", "  - reply: Takes the answer, once."])
        writer.documentation(text.lines)
        writer.line("func \(property.setterName)(_ value: \(property.type.swift), reply: \(reply([])))")
    }

    /// The type of a reply with these results.
    private static func reply(_ results: [Argument]) -> String {
        results.isEmpty ? "Reply< >" : "Reply<\(results.swiftTypes)>"
    }
}

extension Documentation {
    /// What the function says that writes the property.
    func ofWriting(_ property: String) -> Documentation {
        Documentation(
            name: name, arguments: [], summary: ["Writes the property `\(property)`."], discussion: [],
            errors: errorsWhenWritten, errorsWhenWritten: nil, fieldLists: [])
    }
}
