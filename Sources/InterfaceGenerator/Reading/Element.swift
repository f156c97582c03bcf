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
            throw Problem(Location(file: name, line: nil), "no XML: there is no element in the file")
        }
        return root
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

    private func line(of parser: XMLParser) -> Int? {
        parser.lineNumber > 0 ? parser.lineNumber : nil
    }

    /// Takes note of what is wrong with the syntax; the parser repairs what it can, and then reports success.
    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        report(parser, "not well-formed XML: \(Self.reason((parseError as NSError).code))")
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
        guard let start = string.firstIndex(where: { !$0.isWhitespace }) else { return }
        let parent = open.last.map { "<\($0.name)>" } ?? "the file"
        // The parser tells of the text when it has read it.
        let linesAfter = string[start...].count(where: \.isNewline)
        report(
            parser, "text in \(parent); there are only elements, and comments before them", linesBefore: linesAfter)
    }

    private func report(_ parser: XMLParser, _ message: String, linesBefore: Int = 0) {
        if problem == nil {
            problem = Problem(Location(file: file, line: line(of: parser).map { $0 - linesBefore }), message)
        }
    }

    /// What the errors mean that are made by hand (`xmlParserErrors` of libxml2).
    private static func reason(_ code: Int) -> String {
        switch code {
        case 5: "it ends before all elements are closed"
        case 26, 27: "an entity is not known"
        case 38: "an attribute has a < in its value"
        case 39: "the value of an attribute is not in quotation marks"
        case 41: "an attribute has no value"
        case 42: "an element has the same attribute twice"
        case 65: "white space is missing"
        case 73: "a tag is not closed with >"
        case 76: "an end tag does not match its start tag"
        case 80: "a comment has -- in it"
        default: "error \(code) of libxml2"
        }
    }
}
