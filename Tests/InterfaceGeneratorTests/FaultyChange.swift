// SPDX-License-Identifier: MIT

import Testing

/// A change to the sample that makes it wrong, and where and how that is to be told.
struct FaultyChange: CustomTestStringConvertible, Sendable {
    let text: String
    let replacement: String
    /// A text in the line that is to be named, after the change.
    let line: String
    let message: String

    init(_ text: String, _ replacement: String, line: String, _ message: String) {
        self.text = text
        self.replacement = replacement
        self.line = line
        self.message = message
    }

    var testDescription: String { message }
}

extension FaultyChange {
    static let syntax = [
        FaultyChange(
            "</interface>", "", line: "</node>", "not well-formed XML: an end tag does not match its start tag"),
        FaultyChange("&amp;", "&none;", line: "&none;", "not well-formed XML: an entity is not known"),
        FaultyChange("<method name=\"Ping\"/>", "<method name=\"Ping\"/>text", line: "/>text", "text in <interface>"),
        FaultyChange("<node>", "<node><method name=\"A\"/>", line: "<node>", "<method> has no place in <node>"),
        FaultyChange(
            "method name=\"Ping\"", "function name=\"Ping\"", line: "function",
            "allowed there is <annotation>, <method>"),
        FaultyChange("<method name=\"Ping\"/>", "<method/>", line: "<method/>", "<method> needs the attribute name"),
        FaultyChange(
            "\"Ping\"/>", "\"Ping\" kind=\"x\"/>", line: "kind=", "<method> has no attribute kind; it has name"),
        FaultyChange(
            "type=\"u\" access=\"read\"", "type=\"u\"", line: "\"ProcessId\"", "<property> needs the attribute access"),
    ]

    static let documentation = [
        FaultyChange("Ping:\n", "", line: "<method name=\"Ping\"", "does not begin with the name and a colon"),
        FaultyChange("Ping:\n", "Pong:\n", line: "<method name=\"Ping\"", "it is to begin with \"Ping:\""),
        FaultyChange(
            "<method name=\"Ping\"/>", "<method name=\"Ping\"/><method name=\"Pong\"/>", line: "Pong",
            "the method Pong is undocumented; a comment right before it is to begin with \"Pong:\""),
        FaultyChange(
            "<signal name=\"Ready\"/>", "<signal name=\"Ready\"/><signal name=\"Steady\"/>", line: "Steady",
            "the signal Steady is undocumented"),
        FaultyChange(
            "  </interface>",
            "<property name=\"A\" type=\"s\" access=\"read\"><annotation "
                + "name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"true\"/></property></interface>",
            line: "name=\"A\"", "the property A is undocumented"),
        FaultyChange(
            "        @keys: The keys.\n", "", line: "<method name=\"Import\"", "the argument keys is undocumented"),
        FaultyChange(
            "@height: Its height.", "@height: Its height.\n        @width: None.", line: "<signal name=\"TreeGrown\"",
            "there is no argument width; there are tree, height"),
        FaultyChange("Does nothing.", "", line: "<method name=\"Ping\"", "the comment has no summary"),
    ]

    static let names = [
        FaultyChange(
            "interface name=\"org.example.Sample1\"", "interface name=\"Sample1\"", line: "<interface",
            "\"Sample1\" is no name of an interface"),
        FaultyChange("name=\"Ping\"", "name=\"Ping-Pong\"", line: "Ping-Pong", "method: \"Ping-Pong\" is no name"),
        FaultyChange("name=\"Ping\"", "name=\"1st\"", line: "1st", "method: \"1st\" is no name"),
        FaultyChange("name=\"in\"", "name=\"a b\"", line: "a b", "argument of Import: \"a b\" is no name"),
        FaultyChange("name=\"in\"", "name=\"reply\"", line: "reply", "the generated code needs the name reply itself"),
        FaultyChange("name=\"in\"", "name=\"self\"", line: "self", "\"self\" cannot be a name in Swift"),
        FaultyChange("name=\"keys\"", "name=\"values\"", line: "\"Import\"", "Import has the argument values twice"),
        FaultyChange(
            "name=\"keys\"", "name=\"Values\"", line: "\"Import\"", "Values and values, which are the same in Swift"),
        FaultyChange(
            "name=\"org.example.Note\"", "name=\"Note\"", line: "\"Note\"", "\"Note\" is no name of an interface"),
    ]

    static let types = [
        FaultyChange("type=\"g\"", "type=\"gg\"", line: "\"gg\"", "signature: \"gg\" has more than one complete type"),
        FaultyChange("type=\"u\"", "type=\"k\"", line: "\"ProcessId\"", "ProcessId: \"k\" has \"k\" in it"),
        FaultyChange("type=\"g\"", "type=\"(gg)\"", line: "(gg)", "the structure \"(gg)\" has no name"),
        FaultyChange("type=\"u\"", "type=\"a{hs}\"", line: "\"ProcessId\"", "a dictionary with keys of type \"h\""),
        FaultyChange("(node_id,value)", "(node_id)", line: "name=\"tree\"", "Leaf has 1 fields, but \"(yv)\" has 2"),
        FaultyChange(
            "(node_id,value)", "(identifier,value)", line: "\"TreeGrown\"",
            "the structure Tree(name, leaves: Leaf(identifier, value)) of type \"(sa(yv))\" contradicts"),
        FaultyChange(
            "type=\"(sa(yv))\" name=\"tree\"", "type=\"s\" name=\"tree\"", line: "name=\"tree\"", "\"s\" is none"),
        FaultyChange(
            "name=\"org.example.Note\"", "name=\"org.sentinel.Structure\"", line: "value=\"&lt;",
            "belongs to an <arg> or a <property>, not a <method>"),
        FaultyChange("Tree(name,leaves", "Tree(name leaves", line: "name=\"tree\"", "expected \")\" after \"name\""),
        FaultyChange("Tree(", "Value(", line: "\"Import\"", "the generated code needs the type name Value itself"),
        FaultyChange("Tree(", "Ready(", line: "\"Ready\"", "the signal Ready has the name of a structure"),
        FaultyChange(
            "Tree(", "Sample1Proxy(", line: "\"Import\"", "the structure Sample1Proxy and org.example.Sample1"),
    ]

    static let members = [
        FaultyChange(
            "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"const\"/>", "",
            line: "\"ProcessId\"", "ProcessId needs the annotation"),
        FaultyChange(
            "value=\"const\"", "value=\"maybe\"", line: "\"ProcessId\"", "one of true, invalidates, const, false"),
        FaultyChange("access=\"read\"", "access=\"write\"", line: "\"ProcessId\"", "the access is read or readwrite"),
        FaultyChange(
            "direction=\"in\"", "direction=\"up\"", line: "direction=\"up\"", "the direction is in or out, not \"up\""),
        FaultyChange(
            "name=\"height\" direction=\"out\"", "name=\"height\" direction=\"in\"", line: "name=\"height\"",
            "the direction in a signal is out"),
        FaultyChange(
            "name=\"Ping\"", "name=\"Import\"", line: "<method name=\"Import\"/>", "the method Import exists twice"),
        FaultyChange(
            "\"Ready\"", "\"TreeGrown\"", line: "<signal name=\"TreeGrown\"/>", "the signal TreeGrown exists twice"),
        FaultyChange(
            "value=\"const\"/>",
            "value=\"const\"/><annotation name=\"org.freedesktop.DBus.Property."
                + "EmitsChangedSignal\" value=\"true\"/>",
            line: "EmitsChangedSignal\" value=\"const\"", "EmitsChangedSignal twice"),
    ]
}
