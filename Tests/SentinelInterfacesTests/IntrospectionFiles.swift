// SPDX-License-Identifier: MIT

import DBus
import Foundation
import FoundationXML
import SentinelInterfaces

/// The XML files that the module is made of.
enum IntrospectionFiles {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Introspection")

    /// The `<interface>` elements of all files by their names.
    static func interfaces() throws -> [String: XMLElement] {
        var interfaces: [String: XMLElement] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        where file.pathExtension == "xml" {
            for element in try elements(of: try Data(contentsOf: file)) {
                interfaces[element["name"]] = element
            }
        }
        return interfaces
    }

    /// The elements in the root element of a document.
    static func elements(of data: Data) throws -> [XMLElement] {
        try XMLDocument(data: data).rootElement()?.elements ?? []
    }

    /// What the module says of all interfaces.
    static let descriptions = [
        Analytics1.description, Application1.description, Device1.description, Events1.description,
        LogControl1.description, Notification.description, Performance1.description, Preferences1.description,
        Provider1.description, Sentinel1.description, Tools1.description,
    ]

    /// What the module says of all signals.
    static let signals: [any SignalContents.Type] = [
        Events1.Forgotten.self, Events1.Recorded.self, Notification.Trigger.self, Performance1.Sampled.self,
        Preferences1.Changed.self, Preferences1.Declared.self, Preferences1.Removed.self, Sentinel1.Dismissed.self,
        Sentinel1.Presented.self, Sentinel1.Ready.self, Sentinel1.Triggered.self, Tools1.Changed.self,
        Tools1.ItemChanged.self,
    ]
}

extension XMLElement {
    /// The value of an attribute; empty if there is none.
    subscript(name: String) -> String { attribute(forName: name)?.stringValue ?? "" }

    /// The elements in it in order.
    var elements: [XMLElement] { (children ?? []).compactMap { $0 as? XMLElement } }

    /// The elements of one name in it.
    func elements(_ name: String) -> [XMLElement] { elements.filter { $0.name == name } }

    /// The value of an annotation; nil if there is none.
    func annotation(_ name: String) -> String? { elements("annotation").first { $0["name"] == name }?["value"] }

    /// The signature of the arguments of one direction; one that says none has the other.
    func signature(_ direction: String, otherwise: String) -> String {
        elements("arg").filter { ($0["direction"].isEmpty ? otherwise : $0["direction"]) == direction }
            .map { $0["type"] }.joined()
    }
}
