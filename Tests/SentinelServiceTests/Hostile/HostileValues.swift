// SPDX-License-Identifier: MIT

import DBus
import TestSupport

/// Makes values of any type that are valid on the bus and that nobody expects.
struct HostileValues {
    var random: SeededGenerator
    /// The descriptor that is passed where one is wanted.
    let descriptor: FileDescriptor

    /// Texts that mean something to somebody.
    private static let texts: [String] = [
        "", " ", "a", "org.sentinel", "com.example.App", "com.example.Other", "a.b", "/", "../", "..\\..\\", "a-b",
        "token_with_special_&", "\u{1F600}\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "e\u{301}", "\u{E9}",
        "\u{202E}txet", "\u{2066}\u{2069}", "\u{FEFF}", "\u{FFFF}", "\u{10FFFF}", "\u{1}\u{7F}\u{1B}[2J", "a\r\nb",
        "\u{2028}", "%s%n%x", "' OR 1=1; DROP TABLE applications; --", "<script>", "${HOME}`id`", "null", "NaN",
        "-1", "0", "9223372036854775808", "1e999", "2024-02-30", "Africa/Cairo", "Pacific/Apia", "*", "[", "(?:",
        "file",
        "signal", "SIGUSR1", "session", "org.freedesktop.DBus", "org.sentinel.Sentinel1", "Version", "LogLevel",
        "debug", ":1.0", "toggle", "SELECT * FROM events", "jsonl", "{\"application\":",
        String(repeating: "[", count: 5000),
    ]
    private static let keys: [String] = [
        "name", "version", "build", "icon", "provider", "launch", "screen", "activation_token", "presenter", "present",
        "lifetime", "limit", "before", "timestamp", "duration", "id", "open", "data", "start", "end", "type",
        "everything",
        "interval", "path", "interface", "member", "", "unknown", "\u{1F600}", "e\u{301}", "\u{E9}",
    ]
    private static let paths: [ObjectPath] = [
        "/", "/a", "/org/sentinel", "/org/sentinel/apps/com_2eexample_2eApp", "/_", "/0/1/2",
        "/org/freedesktop/DBus",
    ]
    private static let signatures: [Signature] = ["", "s", "a{sv}", "(((((i)))))", "aaaaaaaaai", "vvvv", "h"]
    private static let types: [ValueType] = [
        "y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "h", "v", "ay", "as", "av", "a{sv}", "(sv)",
        "a(ss)", "aas", "a{sa{sv}}", "((s))", "a{ts}", "ad", "a{ov}",
    ]

    /// Values for a signature.
    mutating func values(for signature: Signature) -> [Value] {
        signature.types.map { value(of: $0) }
    }

    /// A signature that was not asked for.
    mutating func otherSignature() -> Signature {
        let count = Int.random(in: 0...4, using: &random)
        let text = (0..<count).map { _ in pick(Self.types).text }.joined()
        return (try? Signature(text)) ?? "s"
    }

    /// A value of a type.
    mutating func value(of type: ValueType, depth: Int = 0) -> Value {
        switch type.text {
        case "y": return .byte(pick([0, 1, 127, 255]))
        case "b": return .boolean(Bool.random(using: &random))
        case "n": return .int16(pick([0, 1, -1, .min, .max]))
        case "q": return .uint16(pick([0, 1, .max]))
        case "i": return .int32(pick([0, 1, -1, .min, .max]))
        case "u": return .uint32(pick([0, 1, 2, 100, 10_001, .max]))
        case "x": return .int64(pick([0, 1, -1, .min, .max, 65_750_400_000_000, 7_258_118_400_000_000]))
        case "t": return .uint64(pick([0, 1, UInt64(Int64.max) + 1, .max]))
        case "d": return .double(double())
        case "s": return .string(text())
        case "o": return .objectPath(path())
        case "g": return .signature(pick(Self.signatures))
        case "h": return .fileDescriptor(descriptor)
        case "v": return .variant(variant(depth: depth + 1))
        default: return container(of: type, depth: depth)
        }
    }

    private mutating func container(of type: ValueType, depth: Int) -> Value {
        if let fields = type.fieldTypes {
            return .structure(fields.map { value(of: $0, depth: depth + 1) })
        }
        let count = depth > 4 ? 0 : pick([0, 1, 1, 2, 3, depth == 0 ? 40 : 4])
        if let (keyType, valueType) = type.entryTypes {
            let entries = (0..<count).map { _ in
                DictionaryValue.Entry(
                    key: keyType.text == "s" ? .string(pick(Self.keys)) : value(of: keyType, depth: depth + 1),
                    value: value(of: valueType, depth: depth + 1))
            }
            return (try? DictionaryValue(entries, keyType: keyType, valueType: valueType)).map(Value.dictionary)
                ?? .options([:])
        }
        guard let elementType = type.elementType else { return .string("") }
        if elementType.text == "y" {
            return .bytes([UInt8](repeating: 0xFF, count: pick([0, 1, 3, 4096])))
        }
        let elements = (0..<count).map { _ in value(of: elementType, depth: depth + 1) }
        return (try? ArrayValue(elements, elementType: elementType)).map(Value.array) ?? .strings([])
    }

    /// What stands in a variant: anything, sometimes as deep as the bus lets pass.
    private mutating func variant(depth: Int) -> Value {
        if depth == 1, Int.random(in: 0..<20, using: &random) == 0 {
            var value = Value.string(text())
            for _ in 0..<Int.random(in: 1...55, using: &random) {
                value = .variant(value)
            }
            return value
        }
        return value(of: depth > 4 ? "s" : pick(Self.types), depth: depth + 1)
    }

    private mutating func double() -> Double {
        pick([
            0, -0.0, 1, -1, 0.1, .nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude,
            .leastNonzeroMagnitude, 1e19, -1e19, 60, 3_153_600_001,
        ])
    }

    private mutating func text() -> String {
        switch Int.random(in: 0..<30, using: &random) {
        case 0: return String(repeating: "x", count: 64 << 10)
        case 1: return String(repeating: "\u{1F600}", count: 16 << 10)
        case 2: return String(repeating: "a.", count: 126) + "a"
        case 3...6:
            let scalars = (0..<Int.random(in: 1...40, using: &random)).compactMap { _ in
                UnicodeScalar(UInt32.random(in: 1..<0x11_0000, using: &random))
            }
            return String(String.UnicodeScalarView(scalars))
        default: return pick(Self.texts)
        }
    }

    private mutating func path() -> ObjectPath {
        guard Int.random(in: 0..<20, using: &random) == 0 else { return pick(Self.paths) }
        return (try? ObjectPath(String(repeating: "/p", count: 16 << 10))) ?? "/"
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }
}
