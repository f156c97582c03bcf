// SPDX-License-Identifier: MIT

import Testing

@testable import InterfaceGenerator

@Suite struct SignatureParserTests {
    @Test(
        "a valid type is read as it is",
        arguments: ["s", "v", "ay", "a{sv}", "(s)", "a(ssa(sssva{sv})a{sv})", "a{s(td)}", "aaaav", "a{ya{sv}}"])
    func valid(signature: String) throws {
        #expect(try SignatureParser.parse(signature).signature == signature)
    }

    @Test(
        "an invalid type is refused with its fault",
        arguments: [
            ("", "ends where a type is needed"), ("a", "ends where a type is needed"),
            ("(s", "ends where a type is needed"), ("ss", "more than one complete type"),
            ("()", "a structure without fields"), ("z", "has \"z\" in it"), ("{sv}", "has \"{\" in it"),
            ("a{vs}", "key is none of the basic types"), ("a{s}", "has \"}\" in it"),
            ("a{sss}", "one key and one value"), ("s)", "more than one complete type"), ("é", "has \"é\" in it"),
            (String(repeating: "a", count: 33) + "s", "nests arrays deeper than 32"),
            (String(repeating: "(", count: 33) + "s", "nests structures deeper than 32"),
            (String(repeating: "s", count: 256), "longer than 255 bytes"),
        ])
    func invalid(signature: String, fault: String) {
        let error = #expect(throws: Fault.self) { try SignatureParser.parse(signature) }
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
    }
}
