// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML
import TestSupport

/// An interface as introspection data describes it, without comments and white space.
struct InterfaceModel: Equatable {
    struct Argument: Equatable {
        let name: String
        let type: String
        let direction: String
        let annotations: [String: String]
    }

    struct Member: Equatable {
        /// `method`, `signal` or `property`.
        let kind: String
        let name: String
        let arguments: [Argument]
        /// The type of a property.
        let type: String
        /// The access of a property.
        let access: String
        let annotations: [String: String]

        /// The types of the arguments of a direction.
        func signature(_ direction: String) -> String {
            arguments.filter { $0.direction == direction }.map(\.type).joined()
        }
    }

    let name: String
    let annotations: [String: String]
    /// The members by kind and name.
    let members: [String: Member]

    init(_ element: XMLElement) throws {
        name = try element.required("name")
        annotations = try element.annotations()
        try element.refuse(childrenBut: ["method", "signal", "property", "annotation"])
        members = Dictionary(
            try ["method", "signal", "property"].flatMap { kind in
                try element.elements(forName: kind).map { ("\(kind) \(try $0.required("name"))", try Member($0)) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The members of a kind by name.
    func members(_ kind: String) -> [Member] {
        members.values.filter { $0.kind == kind }.sorted { $0.name < $1.name }
    }
}

extension InterfaceModel.Member {
    fileprivate init(_ element: XMLElement) throws {
        kind = element.name ?? ""
        name = try element.required("name")
        annotations = try element.annotations()
        let isProperty = kind == "property"
        type = isProperty ? try element.required("type") : ""
        access = isProperty ? try element.required("access") : ""
        try element.refuse(childrenBut: isProperty ? ["annotation"] : ["arg", "annotation"])
        let direction = kind == "method" ? "in" : "out"
        arguments = try element.elements(forName: "arg").map { argument in
            try argument.refuse(childrenBut: ["annotation"])
            return InterfaceModel.Argument(
                name: try argument.required("name"), type: try argument.required("type"),
                direction: argument.attribute(forName: "direction")?.stringValue ?? direction,
                annotations: try argument.annotations())
        }
    }
}

extension XMLElement {
    /// The value of an attribute.
    ///
    /// - Throws: ``TestSupportError`` if it is missing.
    func required(_ attribute: String) throws -> String {
        guard let value = self.attribute(forName: attribute)?.stringValue else {
            throw TestSupportError("<\(name ?? "")> without \(attribute): \(xmlString)")
        }
        return value
    }

    /// The annotations right below the element; white space in them means nothing.
    func annotations() throws -> [String: String] {
        Dictionary(
            try elements(forName: "annotation").map { annotation in
                let value = try annotation.required("value").split(whereSeparator: \.isWhitespace)
                return (try annotation.required("name"), value.joined(separator: " "))
            }, uniquingKeysWith: { "\($0) and \($1)" })
    }

    /// Refuses children of other names.
    ///
    /// - Throws: ``TestSupportError`` if there is an element of another name.
    func refuse(childrenBut names: Set<String>) throws {
        for case let child as XMLElement in children ?? [] where !names.contains(child.name ?? "") {
            throw TestSupportError("<\(child.name ?? "")> in <\(name ?? "")>")
        }
    }
}
