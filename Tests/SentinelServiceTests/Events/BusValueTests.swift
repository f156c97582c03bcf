// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import Testing

@testable import SentinelService

@Suite("A value of data on the bus")
struct BusValueTests {
    @Test("keeps what it holds, also nested more deeply than a signature may be")
    func nesting() throws {
        for depth in [1, 8, 31, 32, 33, 40, 100] {
            let data = (0..<depth).reduce(DataValue.integer(7)) { value, _ in .array([value]) }
            var value = data.busValue
            var arrayCount = 0
            while case .array(let array) = value.unwrapped {
                #expect(array.type.text.utf8.count <= 33)
                value = try #require(array.elements.first)
                arrayCount += 1
            }
            #expect(arrayCount == depth)
            #expect(value == .int64(7))
        }
    }

    @Test("is an array of one type where all elements have it, else of variants")
    func arrays() throws {
        #expect(DataValue.array([.text("a"), .text("b")]).busValue == .strings(["a", "b"]))
        #expect(
            DataValue.array([.text("a"), .integer(1)]).busValue
                == .array(try ArrayValue([.variant(.string("a")), .variant(.int64(1))], elementType: .variant)))
        #expect(DataValue.array([]).busValue == .array(try ArrayValue([], elementType: .variant)))
    }
}
