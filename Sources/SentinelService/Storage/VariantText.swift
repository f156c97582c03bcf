// SPDX-License-Identifier: MIT

import SentinelModels

/// The text form of GVariant, in which `gsettings` shows and takes values, for the types that a preference can have.
enum VariantText {
    /// The types whose names stand before a number that its form does not tell apart.
    private static let integerTypes = ["byte", "int16", "uint16", "int32", "uint32", "int64", "uint64"]

    /// The value that a text stands for: `b`, a whole number of any width, `d` or `s`. A whole number past the range of
    /// `x` is a double where that holds it exactly, as on the bus.
    ///
    /// - Throws: `notSupported` for a value of another type, `unavailable` for what is no value.
    static func value(of text: some Sequence<UInt8>) throws(SentinelError) -> PreferenceValue {
        let bytes = trimmed(Array(text)[...])
        guard let first = bytes.first else { throw unreadable }
        if bytes.elementsEqual("true".utf8) { return .boolean(true) }
        if bytes.elementsEqual("false".utf8) { return .boolean(false) }
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            return .text(try unquoted(bytes))
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            return try number(bytes)
        default:
            break
        }
        if let space = bytes.firstIndex(of: 0x20) {
            let type = bytes[..<space]
            if integerTypes.contains(where: { $0.utf8.elementsEqual(type) }) || type.elementsEqual("double".utf8) {
                return try number(trimmed(bytes[space...]))
            }
        }
        let wanted = "a preference can be true or false, a number or text"
        let name = others.first(where: { bytes.starts(with: $0.start.utf8) })?.name ?? "a value of another type"
        throw SentinelError(.notSupported, "it is \(name); \(wanted)")
    }

    /// What values begin with that no preference can have.
    private static let others: [(start: String, name: String)] = [
        ("[", "an array"), ("@", "an array"), ("{", "a dictionary"), ("(", "a tuple"), ("<", "a variant"),
        ("b'", "a byte string"), ("b\"", "a byte string"), ("objectpath ", "an object path"),
        ("signature ", "a signature"), ("nothing", "a value that may be missing"),
        ("just ", "a value that may be missing"), ("inf", "no finite number"), ("nan", "no finite number"),
    ]

    /// The text of a value. A number has no type: whoever takes it knows which it wants.
    static func text(of value: PreferenceValue) -> String {
        switch value {
        case .boolean(let truth): truth ? "true" : "false"
        case .integer(let number): "\(number)"
        // A key of whole numbers takes no point.
        case .double(let number) where number.magnitude < 0x1p53 && number == number.rounded(): "\(Int64(number))"
        case .double(let number): "\(number)"
        case .text(let text): quoted(text)
        }
    }

    // MARK: Numbers

    private static func number(_ bytes: ArraySlice<UInt8>) throws(SentinelError) -> PreferenceValue {
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.elementsEqual("-inf".utf8) || bytes.elementsEqual("-nan".utf8) {
            throw SentinelError(.notSupported, "it is no finite number")
        }
        if bytes.starts(with: "0x".utf8) {
            guard let number = UInt64(text.dropFirst(2), radix: 16) else { throw unreadable }
            return try whole(number)
        }
        if let number = Int64(text) { return .integer(number) }
        if let number = UInt64(text) { return try whole(number) }
        // strtod(3) takes more than a number's own signs.
        let signs = "0123456789.eE+-".utf8
        guard bytes.allSatisfy(signs.contains), let number = Double(text) else { throw unreadable }
        guard number.isFinite else { throw SentinelError(.notSupported, "it is no finite number") }
        return .double(number)
    }

    private static func whole(_ number: UInt64) throws(SentinelError) -> PreferenceValue {
        if let number = Int64(exactly: number) { return .integer(number) }
        guard let number = Double(exactly: number) else {
            throw SentinelError(.notSupported, "it is a whole number past 64 bits with a sign")
        }
        return .double(number)
    }

    // MARK: Texts

    private static let escapes: [(sign: UInt8, scalar: Unicode.Scalar)] = [
        (UInt8(ascii: "a"), "\u{7}"), (UInt8(ascii: "b"), "\u{8}"), (UInt8(ascii: "f"), "\u{C}"),
        (UInt8(ascii: "n"), "\n"), (UInt8(ascii: "r"), "\r"), (UInt8(ascii: "t"), "\t"), (UInt8(ascii: "v"), "\u{B}"),
    ]

    private static func unquoted(_ bytes: ArraySlice<UInt8>) throws(SentinelError) -> String {
        var rest = bytes.dropFirst()
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == bytes.first {
                guard rest.isEmpty, !result.contains(0), let text = String(validating: result, as: UTF8.self) else {
                    throw unreadable
                }
                return text
            }
            if byte == UInt8(ascii: "\\") {
                result += try unescaped(&rest)
            } else {
                result.append(byte)
            }
        }
        throw unreadable
    }

    /// The bytes for what follows a backslash.
    private static func unescaped(_ rest: inout ArraySlice<UInt8>) throws(SentinelError) -> [UInt8] {
        guard let sign = rest.popFirst() else { throw unreadable }
        if let escape = escapes.first(where: { $0.sign == sign }) { return Array(String(escape.scalar).utf8) }
        guard sign == UInt8(ascii: "u") || sign == UInt8(ascii: "U") else { return [sign] }
        let length = sign == UInt8(ascii: "u") ? 4 : 8
        let digits = rest.prefix(length)
        rest = rest.dropFirst(length)
        guard digits.count == length, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(code)
        else { throw unreadable }
        return Array(String(scalar).utf8)
    }

    private static func quoted(_ text: String) -> String {
        var result = String.UnicodeScalarView("'".unicodeScalars)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\":
                result.append("\\")
                result.append(scalar)
            case _ where scalar.properties.generalCategory == .control:
                let digits = String(scalar.value, radix: 16)
                result += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".unicodeScalars
            default:
                result.append(scalar)
            }
        }
        return String(result) + "'"
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) {
            bytes = bytes.dropLast()
        }
        return bytes
    }

    private static var unreadable: SentinelError { SentinelError(.unavailable, "what gsettings says is no value") }
}
