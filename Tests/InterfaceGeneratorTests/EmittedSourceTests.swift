// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import InterfaceGenerator

@Suite struct EmittedSourceTests {
    /// What is expected lies next to the sample, as `NAME.swift.txt`. After an intended change the command makes it
    /// anew: `InterfaceGenerator Tests/InterfaceGeneratorTests/Sample OUTPUT`.
    @Test(
        "the sample becomes what is expected",
        arguments: [
            "Structures.swift", "Interfaces.swift", "Handlers.swift", "Implementations.swift", "Proxies.swift",
        ])
    func sample(name: String) throws {
        let contract = try Sample.contract([Sample.fileName: try Sample.xml()])
        let source = try #require(Generator.sources(contract)[name])
        let expected = try String(contentsOf: Sample.directory.appending(path: "\(name).txt"), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, (line, expectedLine)) in zip(lines, expectedLines).enumerated() {
            try #require(line == expectedLine, "line \(number + 1)")
        }
        #expect(lines.count == expectedLines.count)
    }

    @Test("the order of the files and of their names on disk means nothing")
    func order() throws {
        let first = try Sample.xml()
        let second = first.replacing("org.example.Sample1", with: "org.example.Other1")
        let sources = Generator.sources(try Sample.contract(["a.xml": first, "b.xml": second]))
        #expect(sources == Generator.sources(try Sample.contract(["a.xml": second, "b.xml": first])))
    }

    @Test("a literal with number signs holds what would end it")
    func rawLiteral() throws {
        let xml = try Sample.xml().replacing("value=\"&lt;a", with: "value=\"\\#(a) &lt;a")
        let source = try #require(Generator.sources(try Sample.contract(["a.xml": xml]))["Interfaces.swift"])
        #expect(source.contains("xml: ##\"\"\"\n"))
        #expect(source.contains("\n            \"\"\"##)\n"))
    }

    @Test("files are written once, and not again with the same contents")
    func unchangedFilesStay() throws {
        let output = FileManager.default.temporaryDirectory.appending(path: "interfaces-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: output) } }
        let generator = Generator(input: Sample.directory, output: output)
        #expect(try generator.run().isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: output.path)
        #expect(names.count == 5)
        let old = Date(timeIntervalSince1970: 1_000_000_000)
        for name in names {
            try FileManager.default.setAttributes(
                [.modificationDate: old], ofItemAtPath: output.appending(path: name).path)
        }
        #expect(try generator.run().isEmpty)
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: output.appending(path: name).path)
            #expect(attributes[.modificationDate] as? Date == old)
        }
    }
}
