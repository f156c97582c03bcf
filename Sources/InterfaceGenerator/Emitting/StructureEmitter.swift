// SPDX-License-Identifier: MIT

/// Writes the structures that the interfaces share.
enum StructureEmitter {
    /// The file with all structures.
    static func source(_ contract: Contract) -> String {
        var writer = SourceWriter()
        for use in contract.structures {
            writer.line()
            emit(use, to: &writer)
        }
        return writer.text
    }

    private static func emit(_ use: Contract.StructureUse, to writer: inout SourceWriter) {
        let structure = use.structure
        let fields = structure.fields.map { field in
            Member(name: SwiftName.escaped(field.swiftName), type: field.type.swift)
        }
        writer.documentation(["The structure `\(structure.signature)` as it travels in:", ""])
        writer.documentation(use.members.map { "- `\($0)`" })
        writer.block("public struct \(structure.name): WireCodable, Hashable") { writer in
            writer.line("public static let wireType = \"\(structure.signature)\"")
            writer.line()
            for (field, (member, text)) in zip(structure.fields, zip(fields, use.fieldTexts)) {
                writer.documentation(documentation(of: field, text))
                writer.line("public var \(member.name): \(member.type)")
            }
            writer.line()
            Member.emitInitializer(fields, documentation: "Makes a structure of its fields.", to: &writer)
            writer.line()
            writer.block("public init(from reader: inout Reader) throws(DBusError)") { writer in
                writer.block("self = try reader.structure { (reader) throws(DBusError) in", opening: "") { writer in
                    emitCall("Self", fields.map { "\($0.name): try reader.read()" }, to: &writer)
                }
            }
            writer.line()
            writer.block("public init(_ value: Value) throws(DBusError)") { writer in
                writer.line("let fields = try value.fields(\(fields.count), of: Self.self)")
                for (index, field) in fields.enumerated() {
                    writer.line("self.\(field.name) = try \(field.type)(fields[\(index)])")
                }
            }
            writer.line()
            writer.block("public func write(to writer: inout Writer) throws(DBusError)") { writer in
                writer.block("try writer.structure { (writer) throws(DBusError) in", opening: "") { writer in
                    for field in fields {
                        writer.line("try writer.write(self.\(field.name))")
                    }
                }
            }
        }
    }

    private static func documentation(of field: Structure.Field, _ text: Documentation.Paragraph?) -> [String] {
        guard let text, let first = text.first else {
            return ["The field `\(field.name)`, of type `\(field.type.signature)`."]
        }
        return [SwiftName.capitalized(first)] + text.dropFirst()
            + ["", "The field `\(field.name)`, of type `\(field.type.signature)`."]
    }

    private static func emitCall(_ function: String, _ arguments: [String], to writer: inout SourceWriter) {
        writer.line("\(function)(")
        writer.indented { writer in
            for (index, argument) in arguments.enumerated() {
                writer.line(argument + (index == arguments.count - 1 ? ")" : ","))
            }
        }
    }
}
