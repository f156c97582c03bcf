// SPDX-License-Identifier: MIT

/// Reads the signature of one complete type (D-Bus Specification, "Valid Signatures").
struct SignatureParser {
    static let longest = 255
    private static let deepest = 32
    private static let basicTypes = "ybnqiuxtdsogh"

    private let characters: [Character]
    private var position = 0
    private var arrayDepth = 0
    private var structureDepth = 0

    /// Reads a type.
    static func parse(_ text: String) throws(Fault) -> WireType {
        guard text.utf8.count <= longest else { throw Fault("\(quoted(text)) is longer than \(longest) bytes") }
        var parser = SignatureParser(characters: Array(text))
        let type = try parser.type()
        guard parser.next == nil else {
            throw parser.fault("has more than one complete type; put several into a structure")
        }
        return type
    }

    private init(characters: [Character]) {
        self.characters = characters
    }

    private var next: Character? { position < characters.count ? characters[position] : nil }

    private func fault(_ problem: String) -> Fault {
        Fault("\(quoted(String(characters))) \(problem)")
    }

    private mutating func type() throws(Fault) -> WireType {
        guard let code = next else { throw fault("ends where a type is needed") }
        position += 1
        switch code {
        case "a":
            return try array()
        case "(":
            return try structure()
        case "v":
            return .single("v")
        default:
            guard Self.basicTypes.contains(code) else {
                throw fault("has \(quoted(String(code))) in it; the codes are \(Self.basicTypes), v, a, ( ) and a{ }")
            }
            return .single(code)
        }
    }

    private mutating func array() throws(Fault) -> WireType {
        arrayDepth += 1
        defer { arrayDepth -= 1 }
        guard arrayDepth <= Self.deepest else { throw fault("nests arrays deeper than \(Self.deepest)") }
        return next == "{" ? try dictionary() : .array(try type())
    }

    private mutating func dictionary() throws(Fault) -> WireType {
        position += 1
        structureDepth += 1
        defer { structureDepth -= 1 }
        guard structureDepth <= Self.deepest else { throw fault("nests structures deeper than \(Self.deepest)") }
        guard let key = next, Self.basicTypes.contains(key) else {
            throw fault("has a dictionary whose key is none of the basic types \(Self.basicTypes)")
        }
        position += 1
        let value = try type()
        guard next == "}" else { throw fault("has a dictionary that does not consist of one key and one value") }
        position += 1
        return .dictionary(key: key, value: value)
    }

    private mutating func structure() throws(Fault) -> WireType {
        structureDepth += 1
        defer { structureDepth -= 1 }
        guard structureDepth <= Self.deepest else { throw fault("nests structures deeper than \(Self.deepest)") }
        var fields: [WireType] = []
        while next != ")" {
            fields.append(try type())
        }
        position += 1
        guard !fields.isEmpty else { throw fault("has a structure without fields") }
        return .structure(fields)
    }
}

/// A text of the input as messages show it.
func quoted(_ text: String) -> String { "\"\(text)\"" }
