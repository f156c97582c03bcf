// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML
import TestSupport

/// Introspection data: of a file in `Introspection`, or of a live object.
struct IntrospectionDocument {
    /// The interfaces by name.
    let interfaces: [String: InterfaceModel]
    /// The names of the child nodes.
    let children: [String]
    private let root: XMLElement

    init(_ xml: String) throws {
        let document = try XMLDocument(data: Data(xml.utf8))
        guard let root = document.rootElement(), root.name == "node" else {
            throw TestSupportError("the root is no <node>: \(xml)")
        }
        self.root = root
        try root.refuse(childrenBut: ["interface", "node"])
        interfaces = Dictionary(
            uniqueKeysWithValues: try root.elements(forName: "interface").map { element in
                (try element.required("name"), try InterfaceModel(element))
            })
        children = try root.elements(forName: "node").map { try $0.required("name") }
    }

    /// The documented interfaces by name, of all files.
    static func documented() throws -> [String: InterfaceModel] {
        try files().reduce(into: [:]) { all, file in
            all.merge(file.document.interfaces) { first, _ in first }
        }
    }

    /// The files with their names, sorted.
    static func files() throws -> [(name: String, document: IntrospectionDocument)] {
        let directory = ConformanceTests.package.appendingPathComponent("Introspection").path
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".xml") }
        return try names.sorted().map { name in
            (name, try IntrospectionDocument(try ConformanceTests.text(of: "Introspection/\(name)")))
        }
    }

    /// The interfaces and members with the comments right before them.
    func comments() throws -> [(element: XMLElement, comment: String?)] {
        var found: [(element: XMLElement, comment: String?)] = []
        for interface in root.elements(forName: "interface") {
            found.append((interface, Self.comment(before: interface)))
            for case let member as XMLElement in interface.children ?? [] where member.name != "annotation" {
                found.append((member, Self.comment(before: member)))
            }
        }
        return found
    }

    private static func comment(before element: XMLElement) -> String? {
        var node = element.previousSibling
        while let text = node, text.kind == .text { node = text.previousSibling }
        return node?.kind == .comment ? node?.stringValue : nil
    }
}

extension ServiceOnBus {
    /// The introspection data of a live path.
    func introspection(of path: String) async throws -> IntrospectionDocument {
        let reply = try await output(
            of: "busctl --user -j call org.sentinel \(path) org.freedesktop.DBus.Introspectable Introspect")
        guard let xml = try JSON(reply)["data"]?[0]?.text else { throw TestSupportError("no text: \(reply)") }
        return try IntrospectionDocument(xml)
    }

    /// Starts the service and registers ``PublishedObject/applicationID``.
    static func withApplication() async throws -> ServiceOnBus {
        let session = try await started()
        _ = try await session.output(
            of: "busctl --user call org.sentinel /org/sentinel org.sentinel.Sentinel1 Register 'sa{sv}' "
                + "\(PublishedObject.applicationID) 0")
        return session
    }
}
