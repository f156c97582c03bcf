// SPDX-License-Identifier: MIT

import Foundation

@testable import InterfaceGenerator

/// The sample interface and what is to be made of it.
enum Sample {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Sample")
    static let fileName = "org.example.Sample1.xml"

    /// The text of the sample interface.
    static func xml() throws -> String {
        try String(contentsOf: directory.appending(path: fileName), encoding: .utf8)
    }

    /// Reads files as the generator does; finds the first problem.
    static func contract(_ files: [String: String]) throws(Problem) -> Contract {
        var interfaces: [Interface] = []
        for (name, xml) in files.sorted(by: { $0.key < $1.key }) {
            interfaces += try InterfaceReader.interfaces(in: try Element.root(of: Data(xml.utf8), named: name))
        }
        return try Contract(interfaces)
    }

    /// The number of the first line that has a text in it, counted from 1.
    static func line(of text: String, in xml: String) -> Int? {
        xml.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(text) }.map { $0 + 1 }
    }
}
