// SPDX-License-Identifier: MIT

import DBus
import TestSupport
import Testing

/// What is written comes back from the bytes of a message as it was.
@Suite("Round trips")
struct RoundTripTests {
    @Test("values of all kinds come back as they were, in a variant and in two")
    func values() throws {
        for (value, _) in try ValueTests.samples() {
            #expect(try Wire.roundTrip(value) == value)
            #expect(try Wire.roundTrip(.variant(value)) == .variant(value))
        }
    }

    @Test(
        "doubles keep their bits",
        arguments: [0, -0.0, .nan, .infinity, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func doubles(_ number: Double) throws {
        #expect(try Wire.roundTrip(number).bitPattern == number.bitPattern)
    }

    @Test("typed values come back as they were")
    func typed() throws {
        func check<Element: WireCodable & Equatable>(_ elements: Element...) throws {
            for element in elements {
                #expect(try Wire.roundTrip(element) == element)
                #expect(try Wire.roundTrip([element, element]) == [element, element])
                #expect(try Wire.roundTrip(["a": element] as [Key: Element]) == ["a": element])
            }
            #expect(try Wire.roundTrip([Element]()) == [])
            #expect(try Wire.roundTrip([Key: Element]()) == [:])
        }
        try check(UInt8.min, .max)
        try check(Int16.min, .max)
        try check(UInt16.min, .max)
        try check(Int32.min, .max)
        try check(UInt32.min, .max)
        try check(Int64.min, .max)
        try check(UInt64.min, .max)
        try check(true, false)
        try check("", "é", "e\u{301}", "😀", "a\r\nb", String(repeating: "x", count: 100_000))
        try check(Key("e\u{301}"))
        try check(ObjectPath.root, "/a/b")
        try check(Signature(stringLiteral: ""), "a{sv}")
        try check([UInt8](), [1, 2, 3])
        try check([[Int32]](), [[], [1]])
        try check([Key: [ObjectPath: Bool]](), ["a": [:], "b": ["/": true]])
        try check([UInt64: Value](), [7: .strings([])])
    }

    @Test(
        "an empty array in a variant keeps its type", arguments: ["ay", "as", "a{sv}", "a(iu)", "aas", "a{oa{sa{sv}}}"])
    func emptyArrays(_ type: String) throws {
        let type = try ValueType(type)
        let value: Value
        if let (key, element) = type.entryTypes {
            value = .dictionary(try DictionaryValue([], keyType: key, valueType: element))
        } else {
            value = .array(try ArrayValue([], elementType: try #require(type.elementType)))
        }
        #expect(value.type == type)
        #expect(try Wire.roundTrip(value) == value)
    }

    @Test("a megabyte of bytes comes back as it was")
    func manyBytes() throws {
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try Wire.roundTrip(bytes) == bytes)
        #expect(try Wire.roundTrip(Value.bytes(bytes)) == .bytes(bytes))
    }

    @Test("a dictionary is written in the order of its keys' bytes")
    func order() throws {
        let numbers: [Key: Int32] = Dictionary(uniqueKeysWithValues: (0..<100).map { (Key("k\($0)"), Int32($0)) })
        var again: [Key: Int32] = [:]
        for (key, number) in numbers.sorted(by: { $0.key > $1.key }) {
            again[key] = number
        }
        let first = try Wire.bytes(of: Wire.message { (writer) throws(DBusError) in try writer.write(numbers) })
        let second = try Wire.bytes(of: Wire.message { (writer) throws(DBusError) in try writer.write(again) })
        #expect(first == second)
    }

    @Test("texts that only look alike stay apart as keys")
    func lookalikes() throws {
        let keys: [Key: UInt8] = ["\u{e9}": 1, "e\u{301}": 2]
        #expect(try Wire.roundTrip(keys) == keys)
    }

    @Test("structures nest in arrays and dictionaries")
    func structures() throws {
        let message = try Wire.message { (writer) throws(DBusError) in
            try writer.structure { (writer) throws(DBusError) in
                try writer.write("a")
                try writer.structure { (writer) throws(DBusError) in try writer.write(UInt8(1)) }
            }
            try writer.write(Int64(-1))
        }
        var reader = try Wire.roundTrip(message).body
        let (text, number) = try reader.structure { (reader) throws(DBusError) in
            (
                try reader.read(String.self),
                try reader.structure { (reader) throws(DBusError) in try reader.read(UInt8.self) }
            )
        }
        #expect(text == "a")
        #expect(number == 1)
        #expect(try reader.read(Int64.self) == -1)
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    @Test("random values come back as they were")
    func randomValues() throws {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            let value = Self.randomValue(depth: 0, &generator)
            #expect(try Wire.roundTrip(value) == value)
        }
    }

    private static func randomValue(depth: Int, _ generator: inout SeededGenerator) -> Value {
        let kinds = depth < 5 ? 12 : 7
        switch Int.random(in: 0..<kinds, using: &generator) {
        case 0: return .byte(.random(in: .min ... .max, using: &generator))
        case 1: return .int16(.random(in: .min ... .max, using: &generator))
        case 2: return .uint32(.random(in: .min ... .max, using: &generator))
        case 3: return .int64(.random(in: .min ... .max, using: &generator))
        case 4: return .double(.random(in: -1...1, using: &generator))
        case 5: return .string(String(repeating: "é", count: .random(in: 0...5, using: &generator)))
        case 6: return .boolean(.random(using: &generator))
        case 7: return .variant(randomValue(depth: depth + 1, &generator))
        case 8, 9:
            return .structure(
                (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    randomValue(depth: depth + 1, &generator)
                })
        case 10:
            let keys = (0..<Int.random(in: 0...3, using: &generator)).map { Key("k\($0)") }
            return .options(
                Dictionary(uniqueKeysWithValues: keys.map { ($0, randomValue(depth: depth + 1, &generator)) }))
        default:
            let element = randomValue(depth: depth + 1, &generator)
            let count = Int.random(in: 0...4, using: &generator)
            do {
                return .array(try ArrayValue(Array(repeating: element, count: count), elementType: element.type))
            } catch {
                return element
            }
        }
    }
}
