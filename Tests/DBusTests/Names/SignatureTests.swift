// SPDX-License-Identifier: MIT

@testable import DBus
import Testing

/// The rules of signatures (D-Bus Specification, "Valid Signatures").
@Suite("Signatures")
struct SignatureTests {
    private static func arrays(_ depth: Int) -> String { String(repeating: "a", count: depth) + "y" }

    private static func structures(_ depth: Int) -> String {
        String(repeating: "(", count: depth) + "y" + String(repeating: ")", count: depth)
    }

    private static func dictionaries(_ depth: Int) -> String {
        String(repeating: "a{y", count: depth) + "y" + String(repeating: "}", count: depth)
    }

    @Test(
        "a valid signature is taken",
        arguments: [
            "", "y", "ybnqiuxtdsoghv", "as", "aas", "a{sv}", "a{ya{sv}}", "(s)", "(s(iu)a{ov})", "a(sv)", "a{s(ii)}",
            "aa{sv}", "(a{sv})(y)", arrays(32), structures(32), dictionaries(32), String(repeating: "y", count: 255),
            String(repeating: "a", count: 32) + structures(32),
        ])
    func valid(_ text: String) throws {
        #expect(try Signature(text).text == text)
    }

    @Test(
        "an invalid signature is refused",
        arguments: [
            "a", "aa", "(", ")", "()", "(y", "y)", "{", "}", "{sv}", "a{}", "a{s}", "a{sv", "a{svv}", "a{vs}",
            "a{(s)v}",
            "a{ass}", "r", "e", "z", "m", "1", " ", "s s", "é", "😀", "s\0", "\0", "a()", "a{s()}", "(a)", "({sv})",
            arrays(33), structures(33), dictionaries(33), String(repeating: "y", count: 256),
        ])
    func invalid(_ text: String) {
        #expect(errorCode { _ = try Signature(text) } == .invalidArgs)
    }

    @Test("a dictionary entry counts as a structure, as sd-bus has it: the strictest reader takes what is sent")
    func entriesAreStructures() throws {
        let text = String(repeating: "a{y(", count: 17) + "y" + String(repeating: ")}", count: 17)
        #expect(errorCode { _ = try Signature(text) } == .invalidArgs)
    }

    @Test("a single type is one complete type", arguments: ["y", "v", "as", "a{sv}", "(yy)"])
    func singleType(_ text: String) throws {
        #expect(try ValueType(text).signature.types.map(\.text) == [text])
    }

    @Test("no type and two types are no single type", arguments: ["", "yy", "asas", "a{sv}s", "(y)(y)"])
    func notSingle(_ text: String) {
        #expect(errorCode { _ = try ValueType(text) } == .invalidArgs)
    }

    @Test("a signature is cut into its complete types")
    func types() {
        #expect(Signature("sa{sv}(yas)aay").types.map(\.text) == ["s", "a{sv}", "(yas)", "aay"])
        #expect(Signature("").types.isEmpty)
    }

    @Test("a type knows its parts")
    func parts() throws {
        #expect(ValueType("as").elementType == "s")
        #expect(ValueType("aa{sv}").elementType == "a{sv}")
        #expect(ValueType("a{sv}").elementType == nil)
        #expect(ValueType("s").elementType == nil)
        let entry = try #require(ValueType("a{oa{sv}}").entryTypes)
        #expect(entry.key == "o")
        #expect(entry.value == "a{sv}")
        #expect(ValueType("as").entryTypes == nil)
        #expect(ValueType("(sa{sv}(yy))").fieldTypes?.map(\.text) == ["s", "a{sv}", "(yy)"])
        #expect(ValueType("as").fieldTypes == nil)
    }
}
