// SPDX-License-Identifier: MIT

/// The value of an annotation `org.sentinel.Structure`, which names a structure and its fields.
///
///     Structure := Name "(" field ("," field)* ")"
///     field     := name [":" Structure]
///
/// White space, line breaks included, is allowed between all of these.
struct StructureAnnotation: Hashable {
    /// A field with the structure that it is, or is made of.
    struct Field: Hashable {
        let name: String
        let structure: StructureAnnotation?
    }

    static let name = "org.sentinel.Structure"

    let name: String
    let fields: [Field]

    /// Reads the value of an annotation.
    init(parsing text: String) throws(Fault) {
        var parser = Parser(text)
        self = try parser.structure()
        guard parser.token == nil else { throw parser.fault("the end") }
    }

    init(name: String, fields: [Field]) {
        self.name = name
        self.fields = fields
    }
}

extension StructureAnnotation: CustomStringConvertible {
    /// The value in its canonical form.
    var description: String {
        let fields = fields.map { field in field.structure.map { "\(field.name): \($0)" } ?? field.name }
        return "\(name)(\(fields.joined(separator: ", ")))"
    }
}

extension StructureAnnotation {
    private struct Parser {
        private let tokens: [Substring]
        private var position = 0

        init(_ text: String) {
            var tokens: [Substring] = []
            var rest = text[...]
            while let first = rest.first {
                let end: String.Index
                if first.isWhitespace {
                    rest = rest.dropFirst()
                    continue
                } else if Self.isNamePart(first) {
                    end = rest.firstIndex { !Self.isNamePart($0) } ?? rest.endIndex
                } else {
                    end = rest.index(after: rest.startIndex)
                }
                tokens.append(rest[..<end])
                rest = rest[end...]
            }
            self.tokens = tokens
        }

        private static func isNamePart(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || character == "_")
        }

        var token: Substring? { position < tokens.count ? tokens[position] : nil }

        func fault(_ expected: String) -> Fault {
            let found = token.map { quoted(String($0)) } ?? "the end"
            let before = tokens[..<position].last.map { " after \(quoted(String($0)))" } ?? ""
            return Fault(
                "expected \(expected)\(before), found \(found); the form is Name(field, field: Name(field, …), …)")
        }

        mutating func structure() throws(Fault) -> StructureAnnotation {
            guard let name = token, let first = name.first, first.isUppercase else {
                throw fault("the name of a structure, which begins with a capital letter")
            }
            position += 1
            try take("(")
            var fields = [try field()]
            while token == "," {
                position += 1
                fields.append(try field())
            }
            try take(")")
            for (index, field) in fields.enumerated() {
                guard !fields[..<index].contains(where: { $0.name == field.name }) else {
                    throw Fault("\(name) has the field \(field.name) twice")
                }
            }
            return StructureAnnotation(name: String(name), fields: fields)
        }

        private mutating func field() throws(Fault) -> Field {
            guard let name = token, let first = name.first, first.isLowercase else {
                throw fault("the name of a field, which begins with a small letter")
            }
            position += 1
            guard token == ":" else { return Field(name: String(name), structure: nil) }
            position += 1
            return Field(name: String(name), structure: try structure())
        }

        private mutating func take(_ expected: Substring) throws(Fault) {
            guard token == expected else { throw fault(quoted(String(expected))) }
            position += 1
        }
    }
}
