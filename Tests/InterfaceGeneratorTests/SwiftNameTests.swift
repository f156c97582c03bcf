// SPDX-License-Identifier: MIT

import Testing

@testable import InterfaceGenerator

@Suite struct SwiftNameTests {
    @Test(
        "words become camel case, and id an acronym",
        arguments: [
            ("application_id", "applicationID"), ("ProcessId", "processID"), ("UnixUserID", "unixUserID"),
            ("Id", "id"), ("ids", "ids"), ("event_ids", "eventIDs"), ("Identifier", "identifier"),
            ("Invalid", "invalid"), ("SaveProfile", "saveProfile"), ("profile_a", "profileA"), ("CPUTime", "cpuTime"),
            ("LogLevel", "logLevel"), ("memory_total_bytes", "memoryTotalBytes"), ("x", "x"), ("Utf8Name", "utf8Name"),
            ("__private", "private"),
        ])
    func camelCase(name: String, expected: String) throws {
        #expect(try SwiftName.member(name) == expected)
    }

    @Test("what makes no Swift name is refused", arguments: ["_", "", "_1st", "self", "Self"])
    func unusable(name: String) {
        #expect(throws: Fault.self) { try SwiftName.member(name) }
    }

    @Test(
        "keywords stand between back-ticks",
        arguments: [
            ("import", "`import`"), ("in", "`in`"), ("default", "`default`"), ("init", "`init`"), ("set", "set"),
            ("type", "type"),
        ])
    func keywords(name: String, expected: String) {
        #expect(SwiftName.escaped(name) == expected)
    }

    @Test(
        "every type has a Swift type",
        arguments: [
            ("y", "UInt8"), ("b", "Bool"), ("n", "Int16"), ("q", "UInt16"), ("i", "Int32"), ("u", "UInt32"),
            ("x", "Int64"), ("t", "UInt64"), ("d", "Double"), ("s", "String"), ("o", "ObjectPath"),
            ("g", "Signature"), ("v", "Value"), ("h", "FileDescriptor"), ("as", "[String]"), ("aay", "[[UInt8]]"),
            ("a{sv}", "[Key: Value]"), ("a{ss}", "[Key: String]"),
            ("a{oa{sa{sv}}}", "[ObjectPath: [Key: [Key: Value]]]"),
            ("aa{ux}", "[[UInt32: Int64]]"),
        ])
    func swiftTypes(signature: String, expected: String) throws {
        let type = try NamedType(try SignatureParser.parse(signature), named: nil)
        #expect(type.swift == expected)
        #expect(type.signature == signature)
    }
}
