// SPDX-License-Identifier: MIT

/// A stored property of a generated structure.
struct Member {
    /// The name as it stands in the source.
    let name: String
    let type: String

    /// Writes the initializer that takes all properties in order.
    static func emitInitializer(_ members: [Member], documentation: String, to writer: inout SourceWriter) {
        writer.documentation([documentation])
        let parameters = members.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
        guard !members.isEmpty else { return writer.line("public init() {}") }
        writer.block("public init(\(parameters))") { writer in
            for member in members {
                writer.line("self.\(member.name) = \(member.name)")
            }
        }
    }
}

extension Argument {
    /// The argument as a property of a generated structure.
    var member: Member { Member(name: SwiftName.escaped(swiftName), type: type.swift) }
}
