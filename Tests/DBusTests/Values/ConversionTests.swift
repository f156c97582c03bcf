// SPDX-License-Identifier: MIT

import DBus
import Testing

/// What a loosely typed client may send where another type is wanted.
@Suite("Conversions")
struct ConversionTests {
    /// The same number in every integer type that can hold it.
    private static func widths(of number: Int) -> [Value] {
        [
            UInt8(exactly: number).map(Value.byte), Int16(exactly: number).map(Value.int16),
            UInt16(exactly: number).map(Value.uint16), Int32(exactly: number).map(Value.int32),
            UInt32(exactly: number).map(Value.uint32), Int64(exactly: number).map(Value.int64),
            UInt64(exactly: number).map(Value.uint64),
        ].compactMap { $0 }
    }

    private static let numbers = [
        0, 1, -1, 127, 128, 255, 256, -128, -129, 32_767, 32_768, 65_535, 65_536, -32_768, -32_769, 2_147_483_647,
        2_147_483_648, 4_294_967_295, 4_294_967_296, -2_147_483_648, -2_147_483_649, .max, .min,
    ]

    @Test("an integer of any width is taken where it fits, and refused where not", arguments: numbers)
    func integers(_ number: Int) throws {
        func check<Target: FixedWidthInteger & WireCodable>(_: Target.Type) throws {
            for value in Self.widths(of: number) {
                for layered in [value, .variant(value), .variant(.variant(value))] {
                    if let expected = Target(exactly: number) {
                        #expect(try layered.integer(as: Target.self) == expected)
                        #expect(try Target(layered) == expected)
                    } else {
                        let refusal = try #require(error { _ = try Target(layered) })
                        #expect(refusal.code == .invalidArgs)
                        #expect(refusal.message.contains("\(Target.min) to \(Target.max)"))
                    }
                }
            }
        }
        try check(UInt8.self)
        try check(Int16.self)
        try check(UInt16.self)
        try check(Int32.self)
        try check(UInt32.self)
        try check(Int64.self)
        try check(UInt64.self)
    }

    @Test("what is no integer is refused as one")
    func noIntegers() throws {
        let others: [Value] = [
            .boolean(true), .double(1), .string("1"), .objectPath("/1"), .signature("y"), .bytes([1]), .strings(["1"]),
            .options([:]), .structure([.byte(1)]), .variant(.boolean(false)),
        ]
        for value in others {
            #expect(errorCode { _ = try value.integer(as: Int64.self) } == .invalidArgs)
            #expect(errorCode { _ = try UInt8(value) } == .invalidArgs)
        }
    }

    @Test("a double is taken as it is, an integer if a double holds it exactly")
    func doubles() throws {
        #expect(try Value.double(0.1).finiteDouble() == 0.1)
        #expect(try Value.variant(.byte(7)).finiteDouble() == 7)
        #expect(try Value.int64(-5).finiteDouble() == -5)
        #expect(try Value.int64(1 << 53).finiteDouble() == 0x1p53)
        #expect(try Value.uint64(1 << 63).finiteDouble() == 0x1p63)
        #expect(errorCode { _ = try Value.int64((1 << 53) + 1).finiteDouble() } == .invalidArgs)
        #expect(errorCode { _ = try Value.uint64(.max).finiteDouble() } == .invalidArgs)
    }

    @Test(
        "NaN and the infinities are no finite numbers", arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func notFinite(_ number: Double) {
        #expect(errorCode { _ = try Value.double(number).finiteDouble() } == .invalidArgs)
        #expect(errorCode { _ = try Double(Value.variant(.double(number))) } == .invalidArgs)
    }

    @Test("a truth value is no number and a number no truth value")
    func truth() throws {
        #expect(try Value.variant(.boolean(true)).truth())
        #expect(try Bool(Value.boolean(false)) == false)
        for value: Value in [.byte(1), .int32(0), .double(1), .string("true")] {
            #expect(errorCode { _ = try value.truth() } == .invalidArgs)
        }
        #expect(errorCode { _ = try Value.boolean(true).finiteDouble() } == .invalidArgs)
    }

    @Test("a path or signature is no text, and a text is neither")
    func texts() throws {
        #expect(try Value.variant(.string("x")).text() == "x")
        #expect(try Key(Value.string("x")) == "x")
        #expect(errorCode { _ = try Value.objectPath("/").text() } == .invalidArgs)
        #expect(errorCode { _ = try Value.signature("s").text() } == .invalidArgs)
        #expect(errorCode { _ = try ObjectPath(Value.string("/")) } == .invalidArgs)
        #expect(errorCode { _ = try Signature(Value.string("s")) } == .invalidArgs)
        #expect(try ObjectPath(Value.variant(.objectPath("/a"))) == "/a")
        #expect(try Signature(Value.signature("as")) == "as")
    }

    @Test("arrays and dictionaries are taken element by element")
    func containers() throws {
        let mixed = try ArrayValue([.variant(.byte(1)), .variant(.int64(2))], elementType: "v")
        #expect(try [Int32](Value.array(mixed)) == [1, 2])
        #expect(try [UInt8](Value.bytes([1, 2])) == [1, 2])
        #expect(try [Key: Int32](Value.options(["a": .byte(1)])) == ["a": 1])
        // As where the dictionary is read out of a message: one layer of variant is that of the type.
        #expect(try [Key: Value](Value.options(["a": .byte(1)])) == ["a": .byte(1)])
        #expect(try [Key: Value](Value.options(["a": .variant(.byte(1))])) == ["a": .variant(.byte(1))])
        #expect(errorCode { _ = try [Int32](Value.strings(["1"])) } == .invalidArgs)
        #expect(errorCode { _ = try [Int32](Value.options([:])) } == .invalidArgs)
        #expect(errorCode { _ = try [Key: Int32](Value.bytes([])) } == .invalidArgs)
    }

    @Test("a dictionary that has a key twice is refused")
    func duplicateKeys() throws {
        let entry = DictionaryValue.Entry(key: .string("a"), value: .byte(1))
        let twice = Value.dictionary(try DictionaryValue([entry, entry], keyType: "s", valueType: "y"))
        #expect(errorCode { _ = try [Key: UInt8](twice) } == .invalidArgs)
    }

    @Test("a refusal does not repeat the value")
    func discretion() throws {
        let refusal = try #require(error { _ = try Value.string("secret").integer(as: Int32.self) })
        #expect(!refusal.message.contains("secret"))
    }
}
