// SPDX-License-Identifier: MIT

@testable import DBus
import Testing

/// libdbus ends the process for some of what is refused here, a peer the connection for the rest.
@Suite("Limits of messages")
struct WriterLimitTests {
    private func refusal(_ body: (inout Writer) throws(DBusError) -> Void) -> DBusError? {
        error { _ = try Wire.message(body) }
    }

    private func layers(_ count: Int, _ make: (Value) -> Value) -> Value {
        var value = Value.byte(1)
        for _ in 0..<count {
            value = make(value)
        }
        return value
    }

    @Test("64 variants in each other travel")
    func deepestVariants() throws {
        let value = layers(63) { .variant($0) }
        #expect(try Wire.roundTrip(value) == value)
    }

    @Test("more than 64 variants in each other are refused", arguments: [65, 66, 1_000, 10_000])
    func tooDeepVariants(_ count: Int) {
        let value = layers(count - 1) { .variant($0) }
        #expect(refusal { (writer) throws(DBusError) in try writer.write(value) }?.code == .limitsExceeded)
    }

    @Test("containers of all kinds count as layers, 64 of them travel", arguments: 0..<3)
    func deepestContainers(_ kind: Int) throws {
        func nested(_ count: Int) -> Value {
            var value = Value.byte(1)
            var layers = 0
            while layers < count {
                let isLast = layers + 1 == count
                switch (kind, isLast) {
                case (0, false):
                    value = .variant(.structure([value]))
                    layers += 2
                case (1, false):
                    value = .variant(.array(ArrayValue(unchecked: [value], elementType: value.type)))
                    layers += 2
                default:
                    value = .variant(value)
                    layers += 1
                }
            }
            return value
        }
        // Writing a value adds one variant.
        for count in 50...63 {
            #expect(try Wire.roundTrip(nested(count)) == nested(count))
        }
        #expect(refusal { (writer) throws(DBusError) in try writer.write(nested(64)) }?.code == .limitsExceeded)
    }

    @Test("a type that is too long or too deep for a variant is refused")
    func madeUpTypes() {
        let wide = Value.structure(Array(repeating: .byte(1), count: 254))
        #expect(refusal { (writer) throws(DBusError) in try writer.write(wide) }?.code == .invalidArgs)
        let fits = Value.structure(Array(repeating: .byte(1), count: 253))
        #expect(refusal { (writer) throws(DBusError) in try writer.write(fits) } == nil)
        let deep = layers(33) { .structure([$0]) }
        #expect(refusal { (writer) throws(DBusError) in try writer.write(deep) }?.code == .invalidArgs)
    }

    @Test("a structure without fields is refused")
    func emptyStructure() {
        #expect(refusal { (writer) throws(DBusError) in try writer.write(Value.structure([])) } != nil)
        #expect(refusal { (writer) throws(DBusError) in try writer.write(Value.variant(.structure([]))) } != nil)
    }

    @Test("text with a NUL is refused, not cut", arguments: ["\0", "a\0", "\0a", "a\0b", "\0\u{301}"])
    func nul(_ text: String) {
        #expect(refusal { (writer) throws(DBusError) in try writer.write(text) }?.code == .invalidArgs)
        #expect(refusal { (writer) throws(DBusError) in try writer.write(Key(text)) }?.code == .invalidArgs)
        #expect(refusal { (writer) throws(DBusError) in try writer.write(Value.strings([text])) }?.code == .invalidArgs)
        #expect(
            refusal { (writer) throws(DBusError) in try writer.write([Key(text): 1 as Int32]) }?.code == .invalidArgs)
    }

    @Test("an array of 64 MiB travels, one that is longer is refused")
    func longArrays() throws {
        let longest = [UInt8](repeating: 1, count: 64 << 20)
        #expect(try Wire.roundTrip(longest).count == 64 << 20)
        #expect(refusal { (writer) throws(DBusError) in try writer.write(longest + [1]) }?.code == .limitsExceeded)
        let texts = [String](repeating: String(repeating: "x", count: 1 << 20), count: 64)
        #expect(refusal { (writer) throws(DBusError) in try writer.write(texts) }?.code == .limitsExceeded)
    }

    @Test("a body that would pass 127 MiB is refused")
    func longMessage() {
        let half = [UInt8](repeating: 1, count: 64 << 20)
        let refusal = refusal { (writer) throws(DBusError) in
            try writer.write(half)
            try writer.write(half)
        }
        #expect(refusal?.code == .limitsExceeded)
    }

    @Test("a header that the reserve for it does not hold is refused")
    func longPath() throws {
        let path = try ObjectPath("/" + String(repeating: "a", count: 2 << 20))
        #expect(errorCode { _ = try Message.signal(from: path, "a.b", "C") } == .limitsExceeded)
        #expect(errorCode { _ = try Message.methodCall(to: .bus, path, nil, "C") } == .limitsExceeded)
    }

    @Test("what was refused leaves nothing behind", arguments: 0..<4)
    func abandoned(_ kind: Int) {
        for _ in 0..<100 {
            #expect(
                refusal { (writer) throws(DBusError) in
                    switch kind {
                    case 0: try writer.write(["a", "\0"])
                    case 1: try writer.write(["a": "\0"] as [Key: String])
                    case 2: try writer.write(Value.structure([.byte(1), .strings(["\0"])]))
                    default: try writer.write(Value.options(["a": .variant(.string("\0"))]))
                    }
                }?.code == .invalidArgs)
        }
    }
}
