// SPDX-License-Identifier: MIT

extension JSONValue {
    /// The value that a JSON text (RFC 8259) stands for. A number without fraction and exponent is a whole one.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8; a byte-order mark before it is skipped.
    ///   - maximumDepth: how deep arrays and objects may be nested.
    ///   - isLenient: whether what the grammar allows and no value stands for is passed over: a number that has no place
    ///     in 64 bits becomes null, half of a surrogate pair U+FFFD, and objects may have two members of one key.
    /// - Throws: ``JSONSyntaxError`` for anything else.
    public init(
        parsing bytes: some Sequence<UInt8>, maximumDepth: Int = 64, isLenient: Bool = false
    ) throws(JSONSyntaxError) {
        var parser = JSONParser(Array(bytes), maximumDepth: maximumDepth, isLenient: isLenient)
        self = try parser.document()
    }
}

/// Reads one JSON text from its first byte to its last.
private struct JSONParser {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private let isLenient: Bool
    private var position = 0

    init(_ bytes: [UInt8], maximumDepth: Int, isLenient: Bool) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.isLenient = isLenient
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            position = 3
        }
    }

    mutating func document() throws(JSONSyntaxError) -> JSONValue {
        let value = try value(depth: 0)
        skipWhiteSpace()
        guard next == nil else { throw unexpected("the end") }
        return value
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhiteSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            position += 1
        }
    }

    /// Goes past a byte if it is the next one.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private func failure(_ reason: String) -> JSONSyntaxError {
        let line = 1 + bytes.prefix(position).count { $0 == UInt8(ascii: "\n") }
        return JSONSyntaxError(line: line, reason: reason)
    }

    private func unexpected(_ wanted: String) -> JSONSyntaxError {
        guard let next else { return failure("expected \(wanted), got the end of the text") }
        let isShown = (0x21..<0x7F).contains(next)
        return failure(
            "expected \(wanted), got " + (isShown ? "'\(Character(Unicode.Scalar(next)))'" : "something else"))
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipWhiteSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte.isASCIIDigit || byte == UInt8(ascii: "-"): return try number()
        default: throw unexpected("a value")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, "\(word)".utf8.elementsEqual(bytes[position..<end]) else {
            throw unexpected("a value")
        }
        position = end
        return value
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        try enter(depth)
        var elements: [JSONValue] = []
        skipWhiteSpace()
        if take("]") { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipWhiteSpace()
        } while take(",")
        guard take("]") else { throw unexpected("',' or ']'") }
        return .array(elements)
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        try enter(depth)
        var members: [(key: String, value: JSONValue)] = []
        var keys: Set<[UInt8]> = []
        skipWhiteSpace()
        if take("}") { return .object(members) }
        repeat {
            skipWhiteSpace()
            guard next == UInt8(ascii: "\"") else { throw unexpected("a key in quotation marks") }
            let key = try string()
            guard isLenient || keys.insert(Array(key.utf8)).inserted else {
                throw failure("two members of an object have one key")
            }
            skipWhiteSpace()
            guard take(":") else { throw unexpected("':'") }
            members.append((key, try value(depth: depth + 1)))
            skipWhiteSpace()
        } while take(",")
        guard take("}") else { throw unexpected("',' or '}'") }
        return .object(members)
    }

    private mutating func enter(_ depth: Int) throws(JSONSyntaxError) {
        guard depth < maximumDepth else { throw failure("arrays and objects are nested deeper than \(maximumDepth)") }
        position += 1
    }
}

// MARK: - Numbers

extension JSONParser {
    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        _ = take("-")
        let hasLeadingZero = next == UInt8(ascii: "0")
        let digitCount = takeDigits()
        guard digitCount > 0 else { throw unexpected("a digit") }
        guard !hasLeadingZero || digitCount == 1 else { throw failure("a number begins with a zero") }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard takeDigits() > 0 else { throw unexpected("a digit") }
        }
        if take("e") || take("E") {
            isWhole = false
            _ = take("+") || take("-")
            guard takeDigits() > 0 else { throw unexpected("a digit") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole {
            if let number = Int64(text) { return .integer(number) }
            if let number = UInt64(text) { return .unsigned(number) }
            if isLenient { return .null }
            throw failure("a whole number has no place in 64 bits")
        }
        if let number = Double(text), number.isFinite { return .double(number) }
        if isLenient { return .null }
        throw failure("a number is too large")
    }

    /// Goes past digits.
    ///
    /// - Returns: how many there were.
    private mutating func takeDigits() -> Int {
        let start = position
        while next?.isASCIIDigit == true {
            position += 1
        }
        return position - start
    }
}

// MARK: - Text

extension JSONParser {
    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let valid = String(validating: text, as: UTF8.self) else { throw failure("text is not UTF-8") }
                return valid
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0x00..<0x20:
                position -= 1
                throw failure("a control character in text is not escaped")
            default: text.append(byte)
            }
        }
        throw unexpected("the end of text")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = next else { throw unexpected("the end of text") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(try scalar()).utf8
        default: throw failure("text holds an escape that JSON does not have")
        }
    }

    /// The character of `\u` escapes, whose `\u` has been read: one, or two for those past U+FFFF.
    private mutating func scalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try codeUnit()
        var value = UInt32(first)
        let next = position
        if UTF16.isLeadSurrogate(first), take("\\"), take("u") {
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second) {
                value = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
            }
        }
        if let scalar = Unicode.Scalar(value) { return scalar }
        guard isLenient else { throw failure("half of a surrogate pair is missing") }
        // What comes after it stands for itself.
        position = next
        return "\u{FFFD}"
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next?.hexadecimalValue else { throw unexpected("a hexadecimal digit") }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
