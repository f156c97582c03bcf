// SPDX-License-Identifier: MIT

import CDBus
import DBus
import TestSupport
import Testing

/// The rules of names (D-Bus Specification, "Valid Names").
@Suite("Names")
struct NameTests {
    private static let longElement = String(repeating: "a", count: 253)

    @Test(
        "a valid bus name is taken",
        arguments: [
            "a.b", "org.sentinel", "org.sentinel.a-b", "_a._", "a-b.c-d", "-a.b", "com.example.ABC_123", ":1.5",
            ":1.0-x",
            ":a.b", ":1._2", ":0.0.0", "a.\(longElement)",
        ])
    func validBusName(_ text: String) throws {
        #expect(try BusName(text).text == text)
    }

    @Test(
        "an invalid bus name is refused",
        arguments: [
            "", "a", ".", "..", "a.", ".a", "a..b", "a.1b", "1a.b", ":", ":1", ":1.", ":.1", "::1.2", "a.b:", "a/b.c",
            "a b.c", "a.b\n", "a.é", "a.😀", "a.b\0", "a\0.b", "\0", "a.\(longElement)x", "org.sentinel ", "a.b,",
            "a.b'",
        ])
    func invalidBusName(_ text: String) {
        #expect(errorCode { _ = try BusName(text) } == .invalidArgs)
    }

    @Test(
        "a valid interface or error name is taken",
        arguments: ["a.b", "_1._2", "org.sentinel.Test1", "a.\(longElement)"])
    func validInterfaceName(_ text: String) throws {
        #expect(try InterfaceName(text).text == text)
        #expect(try ErrorName(text).text == text)
    }

    @Test(
        "an invalid interface or error name is refused",
        arguments: [
            "", "a", "a.", ".a", "a..b", "a-b.c", "a.b-c", "1.2", "a.2b", ":1.2", "a.b\0", "a.é", "a.😀", "a b.c",
            "a.\(longElement)x",
        ])
    func invalidInterfaceName(_ text: String) {
        #expect(errorCode { _ = try InterfaceName(text) } == .invalidArgs)
        #expect(errorCode { _ = try ErrorName(text) } == .invalidArgs)
    }

    @Test("a valid member name is taken", arguments: ["a", "_", "Ping", "A1_", String(repeating: "a", count: 255)])
    func validMemberName(_ text: String) throws {
        #expect(try MemberName(text).text == text)
    }

    @Test(
        "an invalid member name is refused",
        arguments: [
            "", "1a", "a.b", "a-b", "a b", "é", "e\u{301}", "😀", "a\0", "\0", "a\r\n",
            String(repeating: "a", count: 256),
        ])
    func invalidMemberName(_ text: String) {
        #expect(errorCode { _ = try MemberName(text) } == .invalidArgs)
    }

    @Test(
        "a valid object path is taken",
        arguments: ["/", "/a", "/a/b", "/_/0/A", "/1", "/" + String(repeating: "a", count: 100_000)])
    func validObjectPath(_ text: String) throws {
        #expect(try ObjectPath(text).text == text)
    }

    @Test(
        "an invalid object path is refused",
        arguments: [
            "", "a", "//", "/a/", "/a//b", "/a-b", "/a.b", "/é", "/😀", "/a\0", "/\0", "/a b", "../", "/..", "\0",
        ])
    func invalidObjectPath(_ text: String) {
        #expect(errorCode { _ = try ObjectPath(text) } == .invalidArgs)
    }

    @Test("a refusal says what kind of name is wrong and does not repeat it")
    func message() throws {
        // A literal would be the programmer's word and stop the process.
        let text = "/secret-word"
        let refusal = try #require(error { _ = try ObjectPath(text) })
        #expect(refusal.message.contains("object path"))
        #expect(!refusal.message.contains("secret"))
    }

    @Test("paths have elements, children and ancestors")
    func pathStructure() throws {
        let path: ObjectPath = "/org/sentinel"
        #expect(path.elements == ["org", "sentinel"])
        #expect(ObjectPath.root.elements.isEmpty)
        #expect(try path.appending("x") == "/org/sentinel/x")
        #expect(try ObjectPath.root.appending("x") == "/x")
        #expect(path.isDescendant(of: "/org"))
        #expect(path.isDescendant(of: .root))
        #expect(!path.isDescendant(of: path))
        #expect(!path.isDescendant(of: "/or"))
        #expect(!ObjectPath.root.isDescendant(of: .root))
        #expect(!ObjectPath("/org").isDescendant(of: path))
    }

    @Test("a path takes one valid element at a time", arguments: ["", "a/b", "/", "a-b", "é", "..", "a\0", "😀"])
    func appendingInvalid(_ element: String) {
        #expect(errorCode { _ = try ObjectPath("/a").appending(element) } == .invalidArgs)
        #expect(errorCode { _ = try ObjectPath.root.appending(element) } == .invalidArgs)
    }

    @Test("names sort by their bytes")
    func order() {
        let paths: [ObjectPath] = ["/b", "/a_", "/aB", "/a", "/a/b"]
        #expect(paths.sorted().map(\.text) == ["/a", "/a/b", "/aB", "/a_", "/b"])
    }

    @Test("unique names are told from well-known ones")
    func unique() {
        #expect(BusName(":1.5").isUnique)
        #expect(!BusName.bus.isUnique)
    }
}

/// libdbus ends the process for a name that it holds for malformed: what is taken here it must take.
@Suite("Names as libdbus sees them")
struct NameOracleTests {
    private static func texts(_ alphabet: String, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        let characters = Array(alphabet.unicodeScalars)
        return (0..<20_000).map { _ in
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                text.append(characters[Int.random(in: 0..<characters.count, using: &generator)])
            }
            return String(text)
        }
    }

    @Test("interface, error and member names are taken just when libdbus takes them")
    func names() {
        for text in Self.texts("ab.._Z09-é/:", seed: 1) {
            #expect(
                (InterfaceNameSyntax.problem(with: text) == nil) == (dbus_validate_interface(text, nil) != 0), "\(text)"
            )
            #expect(
                (ErrorNameSyntax.problem(with: text) == nil) == (dbus_validate_error_name(text, nil) != 0), "\(text)")
            #expect((MemberNameSyntax.problem(with: text) == nil) == (dbus_validate_member(text, nil) != 0), "\(text)")
        }
    }

    @Test("object paths are taken just when libdbus takes them")
    func paths() {
        for text in Self.texts("ab//_Z0-.é", seed: 2) {
            #expect((ObjectPathSyntax.problem(with: text) == nil) == (dbus_validate_path(text, nil) != 0), "\(text)")
        }
    }

    @Test("every bus name that is taken is one for libdbus, which is laxer with unique names")
    func busNames() {
        for text in Self.texts("ab..::_Z09-é", seed: 3) {
            let isTaken = BusNameSyntax.problem(with: text) == nil
            let isTakenThere = dbus_validate_bus_name(text, nil) != 0
            #expect(isTaken == isTakenThere || (text.hasPrefix(":") && !isTaken), "\(text)")
        }
    }

    @Test("signatures are taken just when libdbus takes them")
    func signatures() {
        for text in Self.texts("aa(){}{svyh1", seed: 4) {
            #expect(
                (SignatureSyntax.problem(with: text) == nil) == (dbus_signature_validate(text, nil) != 0), "\(text)")
            #expect(
                (ValueTypeSyntax.problem(with: text) == nil) == (dbus_signature_validate_single(text, nil) != 0),
                "\(text)")
        }
    }

    @Test("every nested signature that is taken is one for libdbus, which counts arrays and entries more laxly")
    func nestedSignatures() {
        var generator = SeededGenerator(seed: 5)
        var taken = 0
        for _ in 0..<5_000 {
            var text = "y"
            while text.utf8.count < 250, Int.random(in: 0..<80, using: &generator) > 0 {
                text =
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: "a\(text)"
                    case 1: "(\(text))"
                    default: "a{s\(text)}"
                    }
            }
            if SignatureSyntax.problem(with: text) == nil {
                #expect(dbus_signature_validate(text, nil) != 0, "\(text)")
                taken += 1
            }
        }
        #expect(taken > 1_000)
    }
}
