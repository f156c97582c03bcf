// SPDX-License-Identifier: MIT

import DBus
import Testing

@testable import SentinelService

@Suite("Values that are handed on")
struct KeptValuesTests {
    @Test(
        "keep the type of their elements where they have none",
        arguments: [
            ("s", "s"), ("b", "b"), ("x", "x"), ("n", "x"), ("t", "x"), ("d", "d"), ("y", "y"), ("h", "h"),
            ("ay", "ay"), ("a{sv}", "a{sv}"), ("v", "v"), ("o", "v"), ("(ss)", "v"),
        ] as [(ValueType, ValueType)])
    func empty(given: ValueType, kept: ValueType) throws {
        let value = Value.array(try ArrayValue([], elementType: given))
        let values = try KeptValues.canonical(["x": value])
        #expect(values["x"] == .array(try ArrayValue([], elementType: kept)))
    }

    @Test("have the type of their elements where all are of one")
    func filled() throws {
        let texts = Value.array(try ArrayValue([.string("a")], elementType: "s"))
        let numbers = Value.array(try ArrayValue([.uint16(1)], elementType: "q"))
        let mixed = Value.array(ArrayValue(variants: [.string("a"), .byte(1)]))
        let values = try KeptValues.canonical(["s": texts, "x": numbers, "v": mixed])
        #expect(values["s"] == texts)
        #expect(values["x"] == .array(try ArrayValue([.int64(1)], elementType: "x")))
        #expect(values["v"] == .array(ArrayValue(variants: [.string("a"), .int64(1)])))
    }
}
