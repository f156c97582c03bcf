// SPDX-License-Identifier: MIT

@testable import DBus
import Testing

@Suite("Reading messages")
struct ReaderTests {
    @Test("reading a value as another type is an error that names both")
    func mismatch() throws {
        let message = try Wire.message { (writer) throws(DBusError) in try writer.write(Int32(1)) }
        var reader = message.body
        let mismatch = try #require(error { _ = try reader.read(String.self) })
        #expect(mismatch.code == .invalidSignature)
        #expect(mismatch.message.contains("type s"))
        #expect(mismatch.message.contains("found i"))
        // The value is still there.
        #expect(try reader.read(Int32.self) == 1)
        let end = try #require(error { _ = try reader.read(Int32.self) })
        #expect(end.code == .invalidSignature)
        #expect(end.message.contains("the end"))
    }

    @Test("each type is refused as each other")
    func allMismatches() throws {
        let readers: [(String, (inout Reader) throws(DBusError) -> Void)] = [
            ("y", { (reader) throws(DBusError) in _ = try reader.read(UInt8.self) }),
            ("b", { (reader) throws(DBusError) in _ = try reader.read(Bool.self) }),
            ("n", { (reader) throws(DBusError) in _ = try reader.read(Int16.self) }),
            ("q", { (reader) throws(DBusError) in _ = try reader.read(UInt16.self) }),
            ("i", { (reader) throws(DBusError) in _ = try reader.read(Int32.self) }),
            ("u", { (reader) throws(DBusError) in _ = try reader.read(UInt32.self) }),
            ("x", { (reader) throws(DBusError) in _ = try reader.read(Int64.self) }),
            ("t", { (reader) throws(DBusError) in _ = try reader.read(UInt64.self) }),
            ("d", { (reader) throws(DBusError) in _ = try reader.read(Double.self) }),
            ("s", { (reader) throws(DBusError) in _ = try reader.read(String.self) }),
            ("o", { (reader) throws(DBusError) in _ = try reader.read(ObjectPath.self) }),
            ("g", { (reader) throws(DBusError) in _ = try reader.read(Signature.self) }),
            ("v", { (reader) throws(DBusError) in _ = try reader.read(Value.self) }),
            ("ay", { (reader) throws(DBusError) in _ = try reader.read([UInt8].self) }),
            ("as", { (reader) throws(DBusError) in _ = try reader.read([String].self) }),
            ("a{sv}", { (reader) throws(DBusError) in _ = try reader.read([Key: Value].self) }),
            ("a{oa{sv}}", { (reader) throws(DBusError) in _ = try reader.read([ObjectPath: [Key: Value]].self) }),
            ("aas", { (reader) throws(DBusError) in _ = try reader.read([[String]].self) }),
            (
                "(y)",
                { (reader) throws(DBusError) in
                    try reader.structure { (reader) throws(DBusError) in _ = try reader.read(UInt8.self) }
                }
            ),
        ]
        for (value, type) in try ValueTests.samples() {
            let message = try Wire.message { (writer) throws(DBusError) in try writer.bare(value) }
            #expect(message.signature.text == type)
            for (wanted, read) in readers {
                var reader = message.body
                let code = errorCode { try read(&reader) }
                #expect((code == nil) == (wanted == type), "\(type) read as \(wanted)")
                #expect(code == nil || code == .invalidSignature)
            }
        }
    }

    @Test("an empty array of another type is refused as well")
    func emptyArrays() throws {
        let message = try Wire.message { (writer) throws(DBusError) in
            try writer.write([String]())
            try writer.write([Key: Value]())
        }
        var reader = message.body
        #expect(errorCode { _ = try reader.read([Int32].self) } == .invalidSignature)
        #expect(errorCode { _ = try reader.read([Key: Value].self) } == .invalidSignature)
        #expect(errorCode { _ = try reader.read([[String]].self) } == .invalidSignature)
        #expect(try reader.read([String].self) == [])
        #expect(errorCode { _ = try reader.read([Key: String].self) } == .invalidSignature)
        #expect(errorCode { _ = try reader.read([ObjectPath: Value].self) } == .invalidSignature)
        #expect(errorCode { _ = try reader.read([String].self) } == .invalidSignature)
        #expect(try reader.read([Key: Value].self) == [:])
    }

    @Test("a dictionary that has a key twice is refused as a dictionary and kept as a value")
    func duplicateKeys() throws {
        let entry = DictionaryValue.Entry(key: .string("a"), value: .byte(1))
        let twice = Value.dictionary(try DictionaryValue([entry, entry], keyType: "s", valueType: "y"))
        let message = try Wire.roundTrip(Wire.message { (writer) throws(DBusError) in try writer.bare(twice) })
        var reader = message.body
        #expect(errorCode { _ = try reader.read([Key: UInt8].self) } == .invalidArgs)
        reader = message.body
        #expect(try reader.anyValue() == twice)
    }

    @Test("a message without a body is at its end at once")
    func empty() throws {
        var reader = try Wire.message { _ in }.body
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
        #expect(errorCode { _ = try reader.anyValue() } == .invalidSignature)
    }

    @Test("a copy of a reader goes on by itself")
    func copies() throws {
        let message = try Wire.message { (writer) throws(DBusError) in
            try writer.write(UInt8(1))
            try writer.write(UInt8(2))
        }
        var first = message.body
        #expect(try first.read(UInt8.self) == 1)
        var second = first
        #expect(try first.read(UInt8.self) == 2)
        #expect(try second.read(UInt8.self) == 2)
        let areAtEnd = (first.isAtEnd, second.isAtEnd)
        #expect(areAtEnd == (true, true))
    }

    @Test("an error message is an error with its name and text")
    func errors() throws {
        let call = try Wire.roundTrip(Message.methodCall(to: .bus, "/", nil, "Ping"))
        let reply = try Message.reply(to: call, error: DBusError(.accessDenied, "not \0you"))
        #expect(reply.error?.code == .accessDenied)
        #expect(reply.error?.message == "not you")
        #expect(try Wire.message { _ in }.error == nil)
    }

    @Test("an error always travels, whatever its text", arguments: ["\0\u{301}", "\0\0", "a\0\u{200d}b", "é\0"])
    func awkwardErrors(_ text: String) throws {
        let call = try Wire.roundTrip(Message.methodCall(to: .bus, "/", nil, "Ping"))
        let reply = try Message.reply(to: call, error: DBusError(.failed, text))
        #expect(reply.error?.code == .failed)
        #expect(reply.error?.message.unicodeScalars.contains("\0") == false)
    }

    @Test("an error whose text is too long for a message travels shortened")
    func longErrors() throws {
        let call = try Wire.roundTrip(Message.methodCall(to: .bus, "/", nil, "Ping"))
        let text = String(repeating: "x", count: 130 << 20)
        let reply = try Message.reply(to: call, error: DBusError(.failed, text))
        #expect(reply.error?.code == .failed)
    }

    @Test("a header says what it was made of")
    func header() throws {
        let call = try Wire.roundTrip(
            Message.methodCall(to: "org.sentinel", "/a", "a.b", "C", wantsReply: false) { (writer) throws(DBusError) in
                try writer.write("x")
            })
        #expect(call.kind == .methodCall)
        #expect(call.destination == "org.sentinel")
        #expect(call.path == "/a")
        #expect(call.interface == "a.b")
        #expect(call.member == "C")
        #expect(call.signature == "s")
        #expect(call.sender == nil)
        #expect(call.errorName == nil)
        #expect(!call.wantsReply)
        #expect(call.serial == 1)
        #expect(call.replySerial == 0)
    }
}
