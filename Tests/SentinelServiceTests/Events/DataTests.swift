// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Data of events", .serialized, .timeLimit(.minutes(5)))
    struct DataTests {
        private let fixture: ServiceFixture
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
        }

        private func roundTrip(_ data: [Key: Value]) async throws -> [Key: Value] {
            let id = try await client.record("test", ["data": .options(data)])
            return try await client.event(id: id).data
        }

        @Test("data come back with their types, in one form")
        func canonicalForm() async throws {
            let mixed = Value.array(
                try ArrayValue([.variant(.int32(1)), .variant(.string("x"))], elementType: .variant))
            let shorts = Value.array(try ArrayValue([.int16(-1), .int16(2)], elementType: "n"))
            let variants = Value.array(
                try ArrayValue([.variant(.byte(1)), .variant(.uint32(2))], elementType: .variant))
            let texts = Value.dictionary(
                try DictionaryValue(
                    [.init(key: .string("k"), value: .string("v"))], keyType: "s", valueType: "s"))
            let read = try await roundTrip([
                "truth": .boolean(true), "zero": .byte(0), "one": .uint16(1), "big": .int64(.max),
                "small": .int64(.min),
                "double": .double(1), "text": .string("e\u{301}"), "bytes": .bytes([0, 255]), "none": .bytes([]),
                "mixed": mixed, "shorts": shorts, "variants": variants, "texts": texts, "empty": .strings([]),
                "wrapped": .variant(.variant(.int32(7))), "": .string(""),
            ])
            #expect(read["truth"] == .boolean(true))
            #expect(read["zero"] == .int64(0))
            #expect(read["one"] == .int64(1))
            #expect(read["big"] == .int64(.max))
            #expect(read["small"] == .int64(.min))
            #expect(read["double"] == .double(1))
            #expect(read["text"] == .string("e\u{301}"))
            #expect(read["bytes"] == .bytes([0, 255]))
            #expect(read["none"] == .bytes([]))
            #expect(
                read["mixed"]
                    == .array(
                        try ArrayValue([.variant(.int64(1)), .variant(.string("x"))], elementType: .variant)))
            #expect(read["shorts"] == .array(try ArrayValue([.int64(-1), .int64(2)], elementType: "x")))
            #expect(read["variants"] == .array(try ArrayValue([.int64(1), .int64(2)], elementType: "x")))
            #expect(read["texts"] == .options(["k": .string("v")]))
            #expect(read["empty"] == .array(try ArrayValue([], elementType: .variant)))
            #expect(read["wrapped"] == .int64(7))
            #expect(read[""] == .string(""))
            #expect(read.count == 16)
        }

        private func nested(_ depth: Int) throws -> Value {
            try (0..<depth).reduce(Value.int64(1)) { value, _ in
                .array(try ArrayValue([.variant(value)], elementType: .variant))
            }
        }

        @Test("data are nested eight deep and not deeper")
        func depth() async throws {
            let read = try await roundTrip(["deep": try nested(8)])
            var value = try #require(read["deep"])
            var depth = 0
            while case .array(let array) = value, let first = array.elements.first {
                value = first.unwrapped
                depth += 1
            }
            #expect(depth == 8)
            await expectError(.invalidArgs, mentioning: "8 deep") { _ = try await roundTrip(["deep": try nested(9)]) }
            let maps = (0..<9).reduce(Value.int64(1)) { value, _ in .options(["k": value]) }
            await expectError(.invalidArgs, mentioning: "8 deep") { _ = try await roundTrip(["deep": maps]) }
        }

        @Test("an event has 64 KiB of data and not a byte more")
        func size() async throws {
            let full = (64 << 10) - 1
            #expect(try await roundTrip(["x": .string(String(repeating: "y", count: full))]).count == 1)
            #expect(try await roundTrip(["x": .bytes([UInt8](repeating: 1, count: full))]).count == 1)
            await expectError(.invalidArgs, mentioning: "65536") {
                _ = try await roundTrip(["x": .string(String(repeating: "y", count: full + 1))])
            }
            let numbers = Value.array(
                try ArrayValue([Value](repeating: .byte(1), count: 9000).map { .variant($0) }, elementType: .variant))
            await expectError(.invalidArgs, mentioning: "65536") { _ = try await roundTrip(["x": numbers]) }
            // What is empty takes room as well.
            let texts = [String](repeating: "", count: 16_382)
            #expect(try await roundTrip(["x": .strings(texts)]) == ["x": .strings(texts)])
            await expectError(.invalidArgs, mentioning: "65536") {
                _ = try await roundTrip(["x": .strings(texts + ["", ""])])
            }
        }
    }
}
