// SPDX-License-Identifier: MIT

/// Reads the XML of metadata files piece by piece: elements, attributes, text, CDATA, character references, comments and
/// processing instructions (XML 1.0, fifth edition).
///
/// Files with a document type declaration are refused, so that there are no entities but the five of XML, none from
/// outside and none that grow. Length, depth, attributes and names are bounded, and nothing is kept of what has been read:
/// time is linear, memory that of the bytes.
struct XMLReader {
    /// What comes next in a file.
    enum Event: Equatable {
        case start(name: String, attributes: [String: String])
        case end(name: String)
        case text(String)
    }

    /// Why a file is not read on.
    struct Failure: Error {
        let line: Int
        let reason: String
    }

    static let maximumByteCount = 2 << 20
    static let maximumDepth = 64
    static let maximumAttributeCount = 32
    static let maximumNameByteCount = 255
    /// The longest text between two tags, and the longest value of an attribute.
    static let maximumTextByteCount = 256 << 10

    private var cursor: ByteCursor
    private var open: [String] = []
    private var pendingEnd: String?
    private var hasRoot = false

    /// A reader of a file's bytes, in UTF-8.
    /// - Throws: ``Failure`` where there are too many.
    init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= Self.maximumByteCount else {
            throw Failure(line: 1, reason: "it has more than \(Self.maximumByteCount) bytes")
        }
        cursor = ByteCursor(bytes)
        _ = cursor.take("\u{FEFF}")
        if cursor.take("<?xml") {
            try readDeclaration()
        }
    }

    /// The next event; nil at the end of the file.
    mutating func next() throws(Failure) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return try end(name)
        }
        while let byte = cursor.next {
            guard byte == UInt8(ascii: "<") else {
                if let text = try readText() { return .text(text) }
                continue
            }
            if cursor.take("<!--") {
                guard cursor.take(upTo: "-->") != nil else { throw failure("a comment does not end") }
            } else if cursor.take("<![CDATA[") {
                return .text(try readCharacterData())
            } else if cursor.take("<?") {
                guard cursor.take(upTo: "?>") != nil else { throw failure("an instruction does not end") }
            } else if cursor.take("<!") {
                throw failure("it has a declaration; document types are not read")
            } else if cursor.take("</") {
                return try readEnd()
            } else {
                return try readStart()
            }
        }
        guard open.isEmpty, hasRoot else { throw failure("it ends within an element, or has none") }
        return nil
    }

    private func failure(_ reason: String) -> Failure {
        Failure(line: cursor.line, reason: reason)
    }

    private mutating func readDeclaration() throws(Failure) {
        guard let content = cursor.take(upTo: "?>") else { throw failure("the XML declaration does not end") }
        guard let declaration = String(validating: content, as: UTF8.self)?.lowercased() else {
            throw failure("the XML declaration is not UTF-8")
        }
        guard declaration.hasPart("encoding") else { return }
        let names = ["utf-8", "utf8", "us-ascii"].flatMap { ["\"\($0)\"", "'\($0)'"] }
        guard names.contains(where: declaration.hasPart) else { throw failure("its encoding is not UTF-8") }
    }

    private mutating func readStart() throws(Failure) -> Event {
        _ = cursor.take()
        guard open.count < Self.maximumDepth else {
            throw failure("its elements are nested more than \(Self.maximumDepth) deep")
        }
        guard !open.isEmpty || !hasRoot else { throw failure("it has a second root element") }
        let name = try readName()
        var attributes: [String: String] = [:]
        while true {
            let before = cursor.next
            cursor.skipWhitespace()
            if cursor.take("/>") {
                pendingEnd = name
                break
            }
            if cursor.take(UInt8(ascii: ">")) { break }
            guard let before, before.isASCIIWhitespace else { throw failure("a tag is not valid") }
            let (key, value) = try readAttribute()
            guard attributes.updateValue(value, forKey: key) == nil else {
                throw failure("an attribute comes twice in a tag")
            }
            guard attributes.count <= Self.maximumAttributeCount else {
                throw failure("a tag has more than \(Self.maximumAttributeCount) attributes")
            }
        }
        hasRoot = true
        open.append(name)
        return .start(name: name, attributes: attributes)
    }

    private mutating func readEnd() throws(Failure) -> Event {
        let name = try readName()
        cursor.skipWhitespace()
        guard cursor.take(UInt8(ascii: ">")) else { throw failure("an end tag is not valid") }
        return try end(name)
    }

    private mutating func end(_ name: String) throws(Failure) -> Event {
        guard open.last == name else { throw failure("an end tag is not that of the open element") }
        open.removeLast()
        return .end(name: name)
    }

    private mutating func readAttribute() throws(Failure) -> (String, String) {
        let name = try readName()
        cursor.skipWhitespace()
        guard cursor.take(UInt8(ascii: "=")) else { throw failure("an attribute has no value") }
        cursor.skipWhitespace()
        guard let quote = cursor.take(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw failure("the value of an attribute is not quoted")
        }
        let raw = cursor.take { $0 != quote && $0 != UInt8(ascii: "<") }
        guard cursor.take(quote) else { throw failure("the value of an attribute does not end") }
        return (name, try text(raw))
    }

    /// Names are told apart by their bytes: those that are not ASCII would be by canonical equivalence, and no metadata
    /// has any.
    private mutating func readName() throws(Failure) -> String {
        let bytes = cursor.take {
            $0.isASCIIAlphanumeric || "_-.:".utf8.contains($0)
        }
        guard let first = bytes.first, bytes.count <= Self.maximumNameByteCount,
            first == UInt8(ascii: "_") || first == UInt8(ascii: ":") || first >= UInt8(ascii: "A")
        else { throw failure("the name of an element or attribute is not valid") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text up to the next tag; nil for white space outside the root.
    private mutating func readText() throws(Failure) -> String? {
        let raw = cursor.take { $0 != UInt8(ascii: "<") }
        guard open.isEmpty else { return try text(raw) }
        guard raw.allSatisfy(\.isASCIIWhitespace) else { throw failure("there is text outside the root element") }
        return nil
    }

    private mutating func readCharacterData() throws(Failure) -> String {
        guard !open.isEmpty else { throw failure("there is text outside the root element") }
        guard let raw = cursor.take(upTo: "]]>") else { throw failure("a CDATA section does not end") }
        return try characters(raw)
    }

    /// The characters of bytes, references replaced.
    private func text(_ raw: ArraySlice<UInt8>) throws(Failure) -> String {
        guard raw.contains(UInt8(ascii: "&")) else { return try characters(raw) }
        var bytes: [UInt8] = []
        var rest = ByteCursor(raw)
        while !rest.isAtEnd {
            bytes += rest.take { $0 != UInt8(ascii: "&") }
            if rest.take(UInt8(ascii: "&")) {
                let name = rest.take { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "#") }
                let character = Self.character(String(decoding: name, as: UTF8.self))
                guard let character, rest.take(UInt8(ascii: ";")) else {
                    throw failure("a reference is not one of a character or of XML's five entities")
                }
                bytes += Array(String(character).utf8)
            }
        }
        return try characters(bytes[...])
    }

    private static func character(_ reference: String) -> Unicode.Scalar? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let number =
            if reference.hasPrefix("#x") {
                UInt32(reference.dropFirst(2), radix: 16)
            } else if reference.hasPrefix("#") {
                UInt32(reference.dropFirst())
            } else {
                UInt32?.none
            }
        return number.flatMap(Unicode.Scalar.init)
    }

    private func characters(_ bytes: ArraySlice<UInt8>) throws(Failure) -> String {
        guard bytes.count <= Self.maximumTextByteCount else {
            throw failure("a text has more than \(Self.maximumTextByteCount) bytes")
        }
        guard !bytes.contains(where: { $0 < 0x20 && !$0.isASCIIWhitespace }) else {
            throw failure("there is a control character")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("a text is not UTF-8") }
        return text
    }
}
