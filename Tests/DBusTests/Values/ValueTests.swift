// SPDX-License-Identifier: MIT

import DBus
import Testing

@Suite("Values")
struct ValueTests {
    /// One value of each kind, and more than one where a kind has sides.
    static func samples() throws -> [(value: Value, type: String)] {
        [
            (.byte(0), "y"), (.byte(255), "y"), (.boolean(true), "b"), (.boolean(false), "b"),
            (.int16(.min), "n"), (.uint16(.max), "q"), (.int32(.min), "i"), (.uint32(.max), "u"),
            (.int64(.min), "x"), (.uint64(.max), "t"), (.double(-0.5), "d"), (.double(.infinity), "d"),
            (.string(""), "s"), (.string("é😀\u{10ffff}"), "s"), (.objectPath("/a/b"), "o"), (.signature("a{sv}"), "g"),
            (.signature(""), "g"), (.bytes([]), "ay"), (.bytes([0, 255, 0]), "ay"), (.strings([]), "as"),
            (.strings(["a", ""]), "as"), (.options([:]), "a{sv}"),
            (.options(["b": .int16(1), "a": .variant(.byte(1))]), "a{sv}"),
            (.array(try ArrayValue([], elementType: "a{s(iu)}")), "aa{s(iu)}"),
            (.array(try ArrayValue([.structure([.byte(1), .string("x")])], elementType: "(ys)")), "a(ys)"),
            (.array(try ArrayValue([.array(ArrayValue(bytes: [1])), .bytes([])], elementType: "ay")), "aay"),
            (.dictionary(try DictionaryValue([], keyType: "o", valueType: "(yy)")), "a{o(yy)}"),
            (
                .dictionary(
                    try DictionaryValue(
                        [DictionaryValue.Entry(key: .uint64(2), value: .boolean(true))], keyType: "t", valueType: "b")),
                "a{tb}"
            ),
            (.structure([.byte(1), .structure([.string("x"), .options([:])])]), "(y(sa{sv}))"),
            (.variant(.byte(1)), "v"), (.variant(.variant(.strings([]))), "v"),
        ]
    }

    @Test("each kind has its type")
    func types() throws {
        for (value, type) in try Self.samples() {
            #expect(value.type.text == type)
        }
    }

    @Test("a value equals itself and no other, and equal values hash alike")
    func equality() throws {
        let values = try Self.samples().map(\.value)
        let again = try Self.samples().map(\.value)
        for (index, value) in values.enumerated() {
            for (other, candidate) in again.enumerated() {
                #expect((value == candidate) == (index == other))
            }
            #expect(value.hashValue == again[index].hashValue)
        }
        #expect(Set(values + again).count == values.count)
    }

    @Test("the same number in two widths is two values")
    func widths() {
        let ones: Set<Value> = [
            .byte(1), .int16(1), .uint16(1), .int32(1), .uint32(1), .int64(1), .uint64(1), .double(1), .boolean(true),
            .variant(.byte(1)),
        ]
        #expect(ones.count == 10)
    }

    @Test("empty arrays of different types are different values")
    func emptyArrays() throws {
        let empty = try ["y", "s", "v", "a{sv}"].map { Value.array(try ArrayValue([], elementType: ValueType($0))) }
        #expect(Set(empty).count == 4)
    }

    @Test("texts are equal if their bytes are")
    func texts() {
        #expect(Value.string("\u{e9}") != Value.string("e\u{301}"))
        #expect(Value.strings(["\u{e9}"]) != Value.strings(["e\u{301}"]))
        #expect(Set([Value.string("\u{e9}"), .string("e\u{301}")]).count == 2)
    }

    @Test("a double equals itself by its bits, as on the wire: NaN too")
    func doubles() {
        #expect(Value.double(.nan) == Value.double(.nan))
        #expect(Set([Value.double(.nan), .double(.nan)]).count == 1)
        #expect(Value.double(0) != Value.double(-0.0))
    }

    @Test("descriptors are equal if they are the same object")
    func descriptors() throws {
        let first = try FileDescriptor(duplicating: 0)
        let second = try FileDescriptor(duplicating: 0)
        #expect(Value.fileDescriptor(first) == .fileDescriptor(first))
        #expect(Value.fileDescriptor(first) != .fileDescriptor(second))
        #expect(Value.fileDescriptor(first).type == "h")
    }

    @Test("an array of mixed types is refused")
    func mixedArray() {
        #expect(errorCode { _ = try ArrayValue([.byte(1), .int16(1)], elementType: "y") } == .invalidArgs)
        #expect(errorCode { _ = try ArrayValue([.string("x")], elementType: "v") } == .invalidArgs)
    }

    @Test("an array or dictionary of a type that cannot be is refused")
    func impossibleContainers() {
        let deep = ValueType(stringLiteral: String(repeating: "a", count: 32) + "y")
        #expect(errorCode { _ = try ArrayValue([], elementType: deep) } == .invalidArgs)
        #expect(errorCode { _ = try DictionaryValue([], keyType: "s", valueType: deep) } == .invalidArgs)
        #expect(errorCode { _ = try DictionaryValue([], keyType: "v", valueType: "s") } == .invalidArgs)
        #expect(errorCode { _ = try DictionaryValue([], keyType: "as", valueType: "s") } == .invalidArgs)
        #expect(errorCode { _ = try DictionaryValue([], keyType: "(s)", valueType: "s") } == .invalidArgs)
    }

    @Test("a dictionary entry of another type is refused")
    func mixedDictionary() {
        let entry = DictionaryValue.Entry(key: .string("a"), value: .byte(1))
        #expect(errorCode { _ = try DictionaryValue([entry], keyType: "s", valueType: "v") } == .invalidArgs)
        #expect(errorCode { _ = try DictionaryValue([entry], keyType: "o", valueType: "y") } == .invalidArgs)
    }

    @Test("bytes and an array of byte values are the same value")
    func bytes() throws {
        let array = try ArrayValue([.byte(1), .byte(2)], elementType: "y")
        #expect(Value.array(array) == .bytes([1, 2]))
        #expect(array.bytes == [1, 2])
        #expect(array.elements == [.byte(1), .byte(2)])
        #expect(try ArrayValue([.string("x")], elementType: "s").bytes == nil)
    }

    @Test("options are in the order of their keys' bytes")
    func options() throws {
        let options = DictionaryValue(["b": .byte(1), "a": .byte(2), "B": .byte(3)])
        #expect(options.entries.map(\.key) == [.string("B"), .string("a"), .string("b")])
    }

    @Test("all layers of variant come off")
    func unwrapped() {
        var value = Value.string("x")
        for _ in 0..<10_000 {
            value = .variant(value)
        }
        #expect(value.unwrapped == .string("x"))
    }
}
