// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelModels
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

    @Test(
        "are only so many, also where each is empty or a descriptor",
        arguments: [
            (.string(""), "s"), (.bytes([]), "ay"), (.boolean(true), "b"), (.options([:]), "a{sv}"),
            (.fileDescriptor(FileDescriptor(owning: dup(2))), "h"),
        ] as [(Value, ValueType)])
    func many(element: Value, type: ValueType) throws {
        func values(_ count: Int) throws -> [Key: Value] {
            ["x": .array(try ArrayValue(Array(repeating: element, count: count), elementType: type))]
        }
        #expect(try KeptValues.canonical(try values(16_000)).count == 1)
        let error = #expect(throws: SentinelError.self) { try KeptValues.canonical(try values(16_385)) }
        #expect(error?.code == .invalidArgs)
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
