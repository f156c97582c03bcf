// SPDX-License-Identifier: MIT

import Testing

@testable import SystemFacts

@Suite("XML")
struct XMLReaderTests {
    private func events(_ text: String) throws -> [XMLReader.Event] {
        try events(Array(text.utf8))
    }

    private func events(_ bytes: [UInt8]) throws -> [XMLReader.Event] {
        var reader = try XMLReader(bytes)
        var events: [XMLReader.Event] = []
        while let event = try reader.next() {
            events.append(event)
        }
        return events
    }

    private func text(_ content: String) throws -> String {
        try events("<a>\(content)</a>").map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    @Test("elements, attributes and text are read")
    func basics() throws {
        let found = try events(
            "\u{FEFF}<?xml version=\"1.0\" encoding='UTF-8'?><!-- c --><?pi x?>\n<a x='1' xml:lang = \"d&amp;e\"><b/>t</a >\n"
        )
        #expect(
            found == [
                .start(name: "a", attributes: ["x": "1", "xml:lang": "d&e"]), .start(name: "b", attributes: [:]),
                .end(name: "b"), .text("t"), .end(name: "a"),
            ])
    }

    @Test(
        "references, CDATA and comments are read",
        arguments: [
            ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"), ("&#65;&#x42;&#x1F600;", "AB😀"),
            ("<![CDATA[<b>&amp;]]]]>", "<b>&amp;]]"), ("<![CDATA[a]]>b<![CDATA[c]]>", "abc"), ("<![CDATA[]]>", ""),
            ("a<!-- <b> & -- x -->c", "ac"), ("é", "é"), ("a<?x > ?>b", "ab"), ("a > b", "a > b"),
        ])
    func characters(content: String, expected: String) throws {
        #expect(try text(content) == expected)
    }

    @Test(
        "what is not well formed is refused",
        arguments: [
            "", " ", "text", "<a>", "<a></b>", "<a><b></a></b>", "</a>", "<a/><b/>", "<a/>text", "<a", "<a x>",
            "<a x=1/>",
            "<a x='1/>", "<a x='1' x='2'/>", "<a x='1'y='2'/>", "<a x='<'/>", "<1a/>", "< a/>", "<a><!-- </a>",
            "<a><![CDATA[ </a>", "<a><?x </a>", "<a>&</a>", "<a>&amp</a>", "<a>&unknown;</a>", "<a>&#0;</a>",
            "<a>&#x1B;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#99999999999;</a>", "<a>&#;</a>",
            "<a>&#-1;</a>",
            "<a>\u{0}</a>", "<a>\u{1B}</a>", "<ä/>", "<?xml version='1.0'", "<![CDATA[x]]><a/>",
            "<?xml version='1.0' encoding='UTF-16'?><a/>", "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
            "<a xml:lang='\u{7}'/>",
        ])
    func malformed(text: String) {
        #expect(throws: XMLReader.Failure.self) { try events(text) }
    }

    @Test("bytes that are not UTF-8 are refused")
    func notUTF8() {
        #expect(throws: XMLReader.Failure.self) { try events([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]) }
        #expect(throws: XMLReader.Failure.self) { try events([0xFF, 0xFE, 0x3C, 0x00, 0x61, 0x00]) }
    }

    @Test("there are no document types, and so no entities that grow or come from elsewhere")
    func entities() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;&x;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
            <a>&y;&f;</a>
            """
        let failure = #expect(throws: XMLReader.Failure.self) { try events(bomb) }
        #expect(failure?.line == 2)
        #expect(throws: XMLReader.Failure.self) { try events("<!DOCTYPE a><a/>") }
        #expect(throws: XMLReader.Failure.self) { try events("<a><!ENTITY x 'y'></a>") }
    }

    @Test("depth, attributes, names, text and length are bounded")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        func attributes(_ count: Int) -> String {
            "<a " + (0..<count).map { "x\($0)='' " }.joined() + "/>"
        }
        #expect(try events(nested(64)).count == 128)
        #expect(throws: XMLReader.Failure.self) { try events(nested(65)) }
        #expect(throws: XMLReader.Failure.self) { try events(String(repeating: "<a>", count: 100_000)) }
        #expect(try events(attributes(32)).count == 2)
        #expect(throws: XMLReader.Failure.self) { try events(attributes(33)) }
        #expect(throws: XMLReader.Failure.self) { try events("<\(String(repeating: "a", count: 256))/>") }
        #expect(try text(String(repeating: "x", count: 256 << 10)).utf8.count == 256 << 10)
        #expect(throws: XMLReader.Failure.self) { try text(String(repeating: "x", count: 256 << 10 + 1)) }
        #expect(throws: XMLReader.Failure.self) { try events([UInt8](repeating: 0x20, count: 2 << 20 + 1)) }
    }
}
