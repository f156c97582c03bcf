// SPDX-License-Identifier: MIT

/// Writes what hands calls on the bus to a handler.
enum ImplementationEmitter {
    /// The file with all implementations.
    static func source(_ contract: Contract) -> String {
        var writer = SourceWriter()
        for interface in contract.interfaces {
            writer.line()
            emit(interface, to: &writer)
        }
        return writer.text
    }

    private static func emit(_ interface: Interface, to writer: inout SourceWriter) {
        let base = interface.baseName
        writer.documentation(["Offers `\(interface.name)` on an object: hands what is called to a handler."])
        writer.block("public final class \(base)Implementation: InterfaceImplementation") { writer in
            writer.line("public var description: InterfaceDescription { \(base).description }")
            writer.line("private let handler: any \(base)Handler")
            writer.line()
            writer.documentation(["Makes the interface with a handler, which lives as long as it."])
            writer.block("public init(_ handler: any \(base)Handler)") { writer in
                writer.line("self.handler = handler")
            }
            writer.line()
            emitInvoke(interface, to: &writer)
            if !interface.properties.isEmpty {
                writer.line()
                emitGetter(interface, to: &writer)
                writer.line()
                emitSetter(interface, to: &writer)
            }
        }
    }

    private static func emitInvoke(_ interface: Interface, to writer: inout SourceWriter) {
        writer.block("public func invoke(_ index: Int, _ call: MethodCall) throws(DBusError)") { writer in
            let unknown = "throw DBusError(.unknownMethod, \"there is no method at place \\(index)\")"
            guard !interface.methods.isEmpty else { return writer.line(unknown) }
            if interface.methods.contains(where: { !$0.arguments.isEmpty }) {
                writer.line("var arguments = call.message.body")
            }
            writer.line("switch index {")
            for (index, method) in interface.methods.enumerated() {
                writer.line("case \(index):")
                writer.indented { writer in emitCall(method, to: &writer) }
            }
            writer.line("default:")
            writer.indented { $0.line(unknown) }
            writer.line("}")
        }
    }

    private static func emitCall(_ method: Method, to writer: inout SourceWriter) {
        let name = SwiftName.escaped(method.swiftName)
        // Swift evaluates the arguments in this order, which is that of the message.
        let arguments = method.arguments.map { "\(SwiftName.escaped($0.swiftName)): try arguments.read()" }
        let all = arguments + ["reply: Reply(call)"]
        writer.line("handler.\(name)(\(all.joined(separator: ", ")))")
    }

    private static func emitGetter(_ interface: Interface, to writer: inout SourceWriter) {
        writer.block("public func property(_ index: Int) throws(DBusError) -> any WireCodable") { writer in
            writer.line("switch \(interface.baseName).Property(rawValue: index) {")
            for property in interface.properties {
                let name = SwiftName.escaped(property.swiftName)
                writer.line("case .\(name): return try handler.\(name)")
            }
            writer.line(
                "case nil: throw DBusError(.unknownProperty, \"there is no property at place \\(index)\")")
            writer.line("}")
        }
    }

    private static func emitSetter(_ interface: Interface, to writer: inout SourceWriter) {
        let head = "public func setProperty(_ index: Int, to value: Value, _ call: MethodCall) throws(DBusError)"
        writer.block(head) { writer in
            let refusal = "throw DBusError(.propertyReadOnly, \"the property cannot be written\")"
            let writable = interface.properties.filter(\.isWritable)
            guard !writable.isEmpty else { return writer.line(refusal) }
            writer.line("switch \(interface.baseName).Property(rawValue: index) {")
            for property in writable {
                writer.line(
                    "case .\(SwiftName.escaped(property.swiftName)): "
                        + "handler.\(property.setterName)(try \(property.type.swift)(value), reply: Reply(call))")
            }
            writer.line("default: \(refusal)")
            writer.line("}")
        }
    }
}
