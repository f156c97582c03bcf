// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelModels

@Suite("An application id")
struct ApplicationIDTests {
    @Test(
        "has the syntax of a well-known bus name",
        arguments: [
            "org.sentinel", "com.example.App", "a.b", "_a._b", "com.ex-ample.-a", "a.b1",
            "A." + String(repeating: "b", count: 253),
        ])
    func valid(text: String) throws {
        #expect(try ApplicationID(text).text == text)
    }

    @Test(
        "is refused otherwise",
        arguments: [
            "", ".", "a", "a.", ".a", "a..b", "a.1b", "1a.b", ":1.5", "a.b\0", "a.b\n", "a/b.c", "../..", "a.b c",
            "ä.b",
            "a.e\u{301}", "a.👩‍👩‍👧", "token_with_special_&", "A." + String(repeating: "b", count: 254),
            String(repeating: "x", count: 65536),
        ])
    func invalid(text: String) {
        let error = #expect(throws: SentinelError.self) { try ApplicationID(text) }
        #expect(error?.code == .invalidArgs)
        #expect((error?.message.utf8.count ?? .max) < 300)
    }

    @Test("is told apart and ordered by its bytes")
    func identity() throws {
        let ids = try ["a.B", "a.b", "A.b", "a.b-c", "a.b.c"].map { try ApplicationID($0) }
        #expect(Set(ids).count == 5)
        #expect(ids.sorted().map(\.text) == ["A.b", "a.B", "a.b", "a.b-c", "a.b.c"])
        #expect(try ApplicationID("org.sentinel") == .sentinel)
    }

    @Test(
        "is an element of a path, and comes back from it",
        arguments: [
            ("com.example.App", "com_2eexample_2eApp"), ("org.sentinel", "org_2esentinel"), ("a._b-c", "a_2e_5fb_2dc"),
        ])
    func label(text: String, label: String) throws {
        let id = try ApplicationID(text)
        #expect(id.busLabel == label)
        #expect(try ApplicationID(busLabel: label) == id)
    }

    @Test(
        "comes from no other element than its own",
        arguments: [
            "", "_", "com_2Eexample_2eApp", "com_2eexample_2", "com_2eexample_zz", "c_6fm_2eexample", "com.example",
        ])
    func foreignLabel(label: String) {
        #expect(throws: SentinelError.self) { try ApplicationID(busLabel: label) }
    }
}

@Suite("A bus label")
struct BusLabelTests {
    @Test(
        "is systemd's escaping",
        arguments: [
            ("", "_"), ("1a", "_31a"), ("a1", "a1"), ("_", "_5f"), ("é", "_c3_a9"), ("foo.bar-baz", "foo_2ebar_2dbaz"),
        ])
    func escaping(text: String, label: String) {
        #expect(BusLabel.escape(text) == label)
        #expect(BusLabel.unescape(label) == text)
    }

    @Test("stands for text of every byte that text may hold")
    func roundTrip() {
        for value in (0 as UInt32)..<0x300 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)"
            #expect(BusLabel.unescape(BusLabel.escape(text)).map { Array($0.utf8) } == Array(text.utf8))
        }
        #expect(BusLabel.unescape("_ff") == nil)
    }
}
