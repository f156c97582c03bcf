// SPDX-License-Identifier: MIT

@testable import DBus
import TestSupport
import Testing

/// Messages of a peer with the other byte order, made by hand.
@Suite("Byte orders")
struct ByteOrderTests {
    @Test("a big-endian message reads right")
    func bigEndian() throws {
        var body = BigEndianBytes()
        body.append(UInt8(7))
        body.append(Int16(-2))
        body.append(UInt16(0xfffe))
        body.append(Int32(-3))
        body.append(UInt32(1))
        body.append(Int64.min)
        body.append(UInt64(0x0102_0304_0506_0708))
        body.append((0.5).bitPattern)
        body.append("é")
        // An array of two numbers.
        body.append(UInt32(8))
        body.append(Int32(1))
        body.append(Int32(-1))
        // A dictionary of one entry, whose value is a variant of a number.
        body.append(UInt32(16))
        body.pad(to: 8)
        body.append("a")
        body.append(signature: "u")
        body.pad(to: 4)
        body.append(UInt32(9))

        let bytes = BigEndianBytes.signal(signature: "ynqiuxtdsaia{sv}", body: body)
        let message = try Wire.parse(bytes)
        #expect(message.byteCount == bytes.count)
        #expect(message.kind == .signal)
        #expect(message.path == "/a")
        #expect(message.interface == "a.b")
        #expect(message.member == "C")
        #expect(message.serial == 5)
        var reader = message.body
        #expect(try reader.read(UInt8.self) == 7)
        #expect(try reader.read(Int16.self) == -2)
        #expect(try reader.read(UInt16.self) == 0xfffe)
        #expect(try reader.read(Int32.self) == -3)
        #expect(try reader.read(UInt32.self) == 1)
        #expect(try reader.read(Int64.self) == .min)
        #expect(try reader.read(UInt64.self) == 0x0102_0304_0506_0708)
        #expect(try reader.read(Double.self) == 0.5)
        #expect(try reader.read(String.self) == "é")
        #expect(try reader.read([Int32].self) == [1, -1])
        #expect(try reader.read([Key: Value].self) == ["a": .uint32(9)])
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    @Test("variants nested 65 and 10 000 deep are refused before they are a message", arguments: [65, 10_000])
    func deepVariants(_ depth: Int) {
        var body = BigEndianBytes()
        for _ in 1..<depth {
            body.append(signature: "v")
        }
        body.append(signature: "y")
        body.append(UInt8(1))
        #expect(error { _ = try Wire.parse(BigEndianBytes.signal(signature: "v", body: body)) } != nil)
    }

    @Test("variants nested 64 deep are read")
    func deepestVariants() throws {
        var body = BigEndianBytes()
        for _ in 1..<64 {
            body.append(signature: "v")
        }
        body.append(signature: "y")
        body.append(UInt8(1))
        let message = try Wire.parse(BigEndianBytes.signal(signature: "v", body: body))
        var reader = message.body
        #expect(try reader.read(Value.self).unwrapped == .byte(1))
    }

    @Test("bytes that are no message are an error", arguments: [[], [1], [UInt8](repeating: 0, count: 64)])
    func garbage(_ bytes: [UInt8]) {
        #expect(error { _ = try Wire.parse(bytes) } != nil)
    }

    @Test("a message with one byte changed is read or refused, never a crash")
    func changedBytes() throws {
        let value = Value.options(["a": .strings(["x", "y"]), "b": .structure([.byte(1), .variant(.double(2))])])
        let bytes = try Wire.bytes(of: Wire.message { (writer) throws(DBusError) in try writer.write(value) })
        var generator = SeededGenerator(seed: 7)
        for index in bytes.indices {
            for _ in 0..<8 {
                var changed = bytes
                changed[index] = .random(in: .min ... .max, using: &generator)
                _ = error {
                    var reader = try Wire.parse(changed).body
                    while !reader.isAtEnd {
                        _ = try reader.anyValue()
                    }
                }
            }
        }
    }
}

/// Bytes of a message in big-endian order (D-Bus Specification, "Marshaling").
private struct BigEndianBytes {
    private(set) var bytes: [UInt8] = []

    mutating func pad(to alignment: Int) {
        while bytes.count % alignment != 0 {
            bytes.append(0)
        }
    }

    mutating func append(_ number: some FixedWidthInteger) {
        pad(to: number.bitWidth / 8)
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    mutating func append(_ text: String) {
        append(UInt32(text.utf8.count))
        bytes += Array(text.utf8) + [0]
    }

    mutating func append(signature: String) {
        bytes += [UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]
    }

    static func signal(signature: String, body: BigEndianBytes) -> [UInt8] {
        var fields = BigEndianBytes()
        func append(_ code: UInt8, _ type: String, _ text: String) {
            fields.pad(to: 8)
            fields.append(code)
            fields.append(signature: type)
            if type == "g" {
                fields.append(signature: text)
            } else {
                fields.append(text)
            }
        }
        append(1, "o", "/a")
        append(2, "s", "a.b")
        append(3, "s", "C")
        append(8, "g", signature)
        var message = BigEndianBytes()
        message.bytes = [UInt8(ascii: "B"), 4, 0, 1]
        message.append(UInt32(body.bytes.count))
        message.append(UInt32(5))
        message.append(UInt32(fields.bytes.count))
        message.bytes += fields.bytes
        message.pad(to: 8)
        return message.bytes + body.bytes
    }
}
