// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML

/// An element of an XML file with the comment right before it.
final class Element {
    let name: String
    let attributes: [String: String]
    let location: Location
    /// The last comment between the element before and this one.
    let comment: String?
    fileprivate(set) var children: [Element] = []

    fileprivate init(name: String, attributes: [String: String], location: Location, comment: String?) {
        self.name = name
        self.attributes = attributes
        self.location = location
        self.comment = comment
    }

    /// Reads a file and gives its root element.
    ///
    /// - Parameter name: what the file is called in messages.
    static func root(of data: Data, named name: String) throws(Problem) -> Element {
        let parser = XMLParser(data: data)
        let builder = ElementBuilder(file: name)
        parser.delegate = builder
        let succeeded = parser.parse()
        if let problem = builder.problem {
            throw problem
        }
        guard succeeded, let root = builder.root else {
            let reason = parser.parserError.map { "not well-formed XML (\(Self.reason($0)))" } ?? "no XML"
            throw Problem(Location(file: name, line: builder.line(of: parser)), reason)
        }
        return root
    }

    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        return (error.userInfo["NSXMLParserErrorMessage"] as? String)?.trimmingCharacters(in: .whitespacesAndNewlines)
            ?? "\(error.domain) \(error.code)"
    }
}

/// Builds the tree as the parser reports its parts.
private final class ElementBuilder: NSObject, XMLParserDelegate {
    private let file: String
    private(set) var root: Element?
    /// What is wrong beyond the syntax of XML.
    private(set) var problem: Problem?
    private var open: [Element] = []
    private var comment: String?

    init(file: String) {
        self.file = file
    }

    func line(of parser: XMLParser) -> Int? {
        parser.lineNumber > 0 ? parser.lineNumber : nil
    }

    func parser(_ parser: XMLParser, foundComment comment: String) {
        self.comment = comment
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        let element = Element(
            name: elementName, attributes: attributes, location: Location(file: file, line: line(of: parser)),
            comment: comment)
        comment = nil
        if let parent = open.last {
            parent.children.append(element)
        } else {
            root = element
        }
        open.append(element)
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
        comment = nil
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard problem == nil, string.contains(where: { !$0.isWhitespace }) else { return }
        let parent = open.last.map { "<\($0.name)>" } ?? "the file"
        problem = Problem(
            Location(file: file, line: line(of: parser)),
            "text in \(parent); there are only elements, and comments before them")
        parser.abortParsing()
    }
}
