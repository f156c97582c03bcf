// SPDX-License-Identifier: MIT

import DBus
import Foundation
import FoundationXML
import TestSupport

/// The methods and properties that the service has, as its objects tell by introspection.
struct LiveContract {
    struct Method: Sendable {
        let path: ObjectPath
        let interface: InterfaceName
        let name: MemberName
        let arguments: Signature
    }

    struct Property: Sendable {
        let path: ObjectPath
        let interface: InterfaceName
        let name: MemberName
        let type: ValueType
    }

    private(set) var methods: [Method] = []
    private(set) var properties: [Property] = []

    /// Asks every object from the root on.
    init(of client: TestClient) async throws {
        var paths: [ObjectPath] = [.root]
        while let path = paths.popLast() {
            let reader = IntrospectionReader()
            let parser = XMLParser(data: Data(try await client.introspect(path).utf8))
            parser.delegate = reader
            guard parser.parse() else { throw TestSupportError("\(path) has introspection data that is no XML") }
            for found in reader.members {
                let interface = try InterfaceName(found.interface)
                let name = try MemberName(found.name)
                if found.isProperty {
                    properties.append(
                        Property(path: path, interface: interface, name: name, type: try ValueType(found.signature)))
                } else {
                    methods.append(
                        Method(
                            path: path, interface: interface, name: name, arguments: try Signature(found.signature)))
                }
            }
            for child in reader.children {
                paths.append(try path.appending(child))
            }
        }
    }
}

/// Reads introspection data.
private final class IntrospectionReader: NSObject, XMLParserDelegate {
    struct Member {
        let interface: String
        let name: String
        let isProperty: Bool
        var signature: String
    }

    var members: [Member] = []
    var children: [String] = []
    private var interface = ""
    private var isInMethod = false

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let name = attributes["name"] ?? ""
        let type = attributes["type"] ?? ""
        switch element {
        case "node" where !name.isEmpty: children.append(name)
        case "interface": interface = name
        case "method":
            isInMethod = true
            members.append(Member(interface: interface, name: name, isProperty: false, signature: ""))
        case "arg" where isInMethod && attributes["direction"] != "out":
            members[members.count - 1].signature += type
        case "property":
            members.append(Member(interface: interface, name: name, isProperty: true, signature: type))
        default: break
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        if element == "method" {
            isInMethod = false
        }
    }
}
