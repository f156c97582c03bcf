// SPDX-License-Identifier: MIT

/// A sequence of types, for example `sa{sv}`; may be empty.
public typealias Signature = Checked<SignatureSyntax>
/// One complete type, for example `a{sv}`.
public typealias ValueType = Checked<ValueTypeSyntax>

/// Syntax of signatures (D-Bus Specification, "Valid Signatures").
public enum SignatureSyntax: TextSyntax {
    public static let noun = "signature"

    public static func problem(with text: String) -> String? {
        var parser = SignatureParser(text)
        return parser.problemWithAll()
    }
}

/// Syntax of one complete type.
public enum ValueTypeSyntax: TextSyntax {
    public static let noun = "single type"

    public static func problem(with text: String) -> String? {
        var parser = SignatureParser(text)
        if let problem = parser.problemWithAll() { return problem }
        return parser.typeCount == 1 ? nil : "it has \(parser.typeCount) complete types, not one"
    }
}

extension Checked where Syntax == SignatureSyntax {
    /// The complete types in order.
    public var types: [ValueType] {
        var parser = SignatureParser(text)
        return parser.split().map { ValueType(unchecked: $0) }
    }
}

extension Checked where Syntax == ValueTypeSyntax {
    /// The type of a variant.
    public static let variant: ValueType = "v"

    /// The type as a signature.
    public var signature: Signature { Signature(unchecked: text) }

    /// The type of an array's elements; nil for all else, dictionaries included.
    public var elementType: ValueType? {
        guard text.hasPrefix("a"), !text.hasPrefix("a{") else { return nil }
        return ValueType(unchecked: String(text.dropFirst()))
    }

    /// The types of a dictionary's keys and values; nil for all else.
    public var entryTypes: (key: ValueType, value: ValueType)? {
        guard text.hasPrefix("a{") else { return nil }
        let inner = text.dropFirst(2).dropLast()
        return (ValueType(unchecked: String(inner.prefix(1))), ValueType(unchecked: String(inner.dropFirst())))
    }

    /// The types of a structure's fields; nil for all else.
    public var fieldTypes: [ValueType]? {
        guard text.hasPrefix("(") else { return nil }
        return Signature(unchecked: String(text.dropFirst().dropLast())).types
    }
}

/// Walks a signature once.
private struct SignatureParser {
    private static let longest = 255
    private static let deepest = 32
    private static let basicTypes = Set("ybnqiuxtdsogh".utf8)

    private let bytes: [UInt8]
    private var position = 0
    private var arrayDepth = 0
    private var structureDepth = 0
    private(set) var typeCount = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func problemWithAll() -> String? {
        guard bytes.count <= Self.longest else { return "it is longer than \(Self.longest) bytes" }
        while position < bytes.count {
            if let problem = problemWithType() { return problem }
            typeCount += 1
        }
        return nil
    }

    /// Cuts a valid signature into its complete types.
    mutating func split() -> [String] {
        var types: [String] = []
        while position < bytes.count {
            let start = position
            guard problemWithType() == nil else { break }
            types.append(String(decoding: bytes[start..<position], as: UTF8.self))
        }
        return types
    }

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func problemWithType() -> String? {
        guard let code = peek() else { return "it ends where a type is needed" }
        position += 1
        switch code {
        case UInt8(ascii: "a"):
            return problemWithArray()
        case UInt8(ascii: "("):
            return problemWithStructure()
        case UInt8(ascii: "v"):
            return nil
        default:
            return Self.basicTypes.contains(code) ? nil : "it has a character that is no type code"
        }
    }

    private mutating func problemWithArray() -> String? {
        arrayDepth += 1
        defer { arrayDepth -= 1 }
        guard arrayDepth <= Self.deepest else { return "its arrays are nested deeper than \(Self.deepest)" }
        return peek() == UInt8(ascii: "{") ? problemWithEntry() : problemWithType()
    }

    private mutating func problemWithEntry() -> String? {
        position += 1
        guard let key = peek(), Self.basicTypes.contains(key) else { return "a dictionary key must be a basic type" }
        position += 1
        structureDepth += 1
        defer { structureDepth -= 1 }
        guard structureDepth <= Self.deepest else { return "its structures are nested deeper than \(Self.deepest)" }
        if let problem = problemWithType() { return problem }
        guard peek() == UInt8(ascii: "}") else { return "a dictionary entry must hold a key and one value" }
        position += 1
        return nil
    }

    private mutating func problemWithStructure() -> String? {
        structureDepth += 1
        defer { structureDepth -= 1 }
        guard structureDepth <= Self.deepest else { return "its structures are nested deeper than \(Self.deepest)" }
        guard peek() != UInt8(ascii: ")") else { return "a structure is empty" }
        while peek() != UInt8(ascii: ")") {
            if let problem = problemWithType() { return problem }
        }
        position += 1
        return nil
    }
}
