// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import InterfaceGenerator

@Suite struct ProblemTests {
    @Test("malformed files are told", arguments: FaultyChange.syntax)
    func syntax(of change: FaultyChange) throws { try check(change) }

    @Test("missing and wrong documentation is told", arguments: FaultyChange.documentation)
    func documentation(of change: FaultyChange) throws { try check(change) }

    @Test("invalid names are told", arguments: FaultyChange.names)
    func names(of change: FaultyChange) throws { try check(change) }

    @Test("invalid types and misfitting annotations are told", arguments: FaultyChange.types)
    func types(of change: FaultyChange) throws { try check(change) }

    @Test("contradictions among members are told", arguments: FaultyChange.members)
    func members(of change: FaultyChange) throws { try check(change) }

    @Test(
        "names that are the same, or would be in Swift, are told",
        arguments: [
            ("ProcessId", "Default", "the property Default exists twice; the other one is in line 94"),
            ("ProcessId", "Ping", "the method Ping and the property Ping would both be ping in Swift"),
            ("Ping", "SetDefault", "the method SetDefault and writing the property Default would both be setDefault"),
            ("ProcessId", "Remote", "the property Remote: the generated code needs the name remote itself"),
        ])
    func swiftClashes(name: String, replacement: String, message: String) throws {
        let xml = try Sample.xml().replacing("\(name):", with: "\(replacement):")
            .replacing("\"\(name)\"", with: "\"\(replacement)\"")
        let problem = #expect(throws: Problem.self) { _ = try Sample.contract(["a.xml": xml]) }
        #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    }

    @Test("two interfaces with the same last element are told")
    func sameBaseName() throws {
        let xml = try Sample.xml()
        let other = xml.replacing("org.example.Sample1", with: "org.example.other.Sample1")
        let problem = #expect(throws: Problem.self) { _ = try Sample.contract(["a.xml": xml, "b.xml": other]) }
        #expect(problem?.location.file == "b.xml")
        #expect(problem?.message.contains("would both make the Swift type Sample1") == true)
    }

    @Test("a structure that another file has in another shape is told with both places")
    func contradictionAcrossFiles() throws {
        let xml = try Sample.xml()
        let other = xml.replacing("Sample1", with: "Other1").replacing("Leaf", with: "Blade")
        let problem = #expect(throws: Problem.self) { _ = try Sample.contract(["a.xml": other, "b.xml": xml]) }
        #expect(problem?.location.file == "b.xml")
        #expect(problem?.message.contains("in a.xml:") == true, "\(problem?.message ?? "")")
    }

    @Test("a file without an element, or without an interface, is told")
    func emptyFiles() {
        let empty = #expect(throws: Problem.self) { _ = try Sample.contract(["a.xml": ""]) }
        #expect(empty?.description == "a.xml: error: no XML: there is no element in the file")
        let node = #expect(throws: Problem.self) { _ = try Sample.contract(["a.xml": "<node/>"]) }
        #expect(node?.description == "a.xml:1: error: there is no <interface> in the file")
        let root = #expect(throws: Problem.self) { _ = try Sample.contract(["a.xml": "\n<html/>"]) }
        #expect(root?.description == "a.xml:2: error: the root is <html>; introspection data is in <node>")
    }

    @Test("the command fails with status 1 for wrong input and writes nothing, with 2 for wrong use")
    func statuses() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "problems-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: directory) } }
        let output = directory.appending(path: "output")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        #expect(InterfaceGenerator.run([directory.path, output.path]) == 1)
        try Data(Sample.xml().replacing("Ping:", with: "Pong:").utf8)
            .write(to: directory.appending(path: Sample.fileName))
        #expect(InterfaceGenerator.run([directory.path, output.path]) == 1)
        #expect(!FileManager.default.fileExists(atPath: output.path))
        #expect(InterfaceGenerator.run([directory.appending(path: "none").path, output.path]) == 1)
        #expect(InterfaceGenerator.run([directory.path]) == 2)
    }

    private func check(_ change: FaultyChange) throws {
        let sample = try Sample.xml()
        let range = try #require(sample.range(of: change.text), "the sample has no \(change.text)")
        let xml =
            change.text.hasSuffix("(")
            ? sample.replacing(change.text, with: change.replacement)
            : sample.replacingCharacters(in: range, with: change.replacement)
        let problem = #expect(throws: Problem.self) { _ = try Sample.contract([Sample.fileName: xml]) }
        let description = problem?.description ?? ""
        #expect(problem?.message.contains(change.message) == true, "\(description)")
        let line = try #require(Sample.line(of: change.line, in: xml))
        #expect(problem?.location == Location(file: Sample.fileName, line: line), "\(description)")
        #expect(description.hasPrefix("\(Sample.fileName):\(line): error: "))
    }
}
