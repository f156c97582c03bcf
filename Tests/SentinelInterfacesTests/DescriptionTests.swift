// SPDX-License-Identifier: MIT

import DBus
import Foundation
import FoundationXML
import SentinelInterfaces
import Testing

@Suite struct DescriptionTests {
    @Test("every file has its interface in the module")
    func completeness() throws {
        let names = IntrospectionFiles.descriptions.map(\.name.text)
        #expect(names.sorted() == (try IntrospectionFiles.interfaces()).keys.sorted())
        let signals = try IntrospectionFiles.interfaces().flatMap { name, element in
            element.elements("signal").map { "\(name).\($0["name"])" }
        }
        #expect(IntrospectionFiles.signals.map { "\($0.interface).\($0.member)" }.sorted() == signals.sorted())
    }

    @Test("methods and properties are those of the file, in its order")
    func members() throws {
        let interfaces = try IntrospectionFiles.interfaces()
        for description in IntrospectionFiles.descriptions {
            let element = try #require(interfaces[description.name.text])
            let methods = element.elements("method").map { method in
                [method["name"], method.signature("in", otherwise: "in"), method.signature("out", otherwise: "in")]
            }
            #expect(description.methods.map { [$0.name.text, $0.arguments.text, $0.results.text] } == methods)
            let properties = element.elements("property").map { property in
                let changeSignal = property.annotation("org.freedesktop.DBus.Property.EmitsChangedSignal") ?? ""
                return [property["name"], property["type"], property["access"], changeSignal]
            }
            #expect(description.properties.map(Self.strings) == properties)
        }
    }

    @Test("signals have the signatures of the file")
    func signals() throws {
        let interfaces = try IntrospectionFiles.interfaces()
        for signal in IntrospectionFiles.signals {
            let element = interfaces[signal.interface.text]?.elements("signal").first {
                $0["name"] == signal.member.text
            }
            #expect(signal.signature.text == element?.signature("out", otherwise: "out"))
        }
    }

    @Test("the raw value of a property is its place in the description")
    func propertyPlaces() {
        #expect(Sentinel1.description.properties[Sentinel1.Property.version.rawValue].name == "Version")
        #expect(Events1.description.properties[Events1.Property.rules.rawValue].name == "Rules")
        #expect(Application1.description.properties[Application1.Property.processID.rawValue].name == "ProcessId")
        let counts = [
            Application1.Property.allCases.count: Application1.description,
            Device1.Property.allCases.count: Device1.description,
            Events1.Property.allCases.count: Events1.description,
            LogControl1.Property.allCases.count: LogControl1.description,
            Preferences1.Property.allCases.count: Preferences1.description,
            Sentinel1.Property.allCases.count: Sentinel1.description,
        ]
        for (count, description) in counts {
            #expect(description.properties.count == count)
        }
    }

    @Test("the embedded XML is that of the file but for comments and white space")
    func embeddedXML() throws {
        let interfaces = try IntrospectionFiles.interfaces()
        for description in IntrospectionFiles.descriptions {
            let document = "<node>\n\(description.xml)\n</node>"
            let embedded = try #require(try IntrospectionFiles.elements(of: Data(document.utf8)).first)
            let file = try #require(interfaces[description.name.text])
            #expect(Self.lines(embedded) == Self.lines(file))
            #expect(description.xml.hasPrefix(" <interface name=\"\(description.name)\">\n  <"))
            #expect(description.xml.hasSuffix("\n </interface>"))
            #expect(!description.xml.contains("<!--"))
        }
    }

    /// An element and what is in it, a line each.
    private static func lines(_ element: XMLElement, depth: Int = 0) -> [String] {
        var attributes: [String] = []
        for attribute in element.attributes ?? [] {
            var value = attribute.stringValue ?? ""
            if element["name"] == "org.sentinel.Structure", attribute.name == "value" {
                value = value.filter { !$0.isWhitespace }
            }
            attributes.append("\(attribute.name ?? "")=\(value)")
        }
        let line = "\(depth) \(element.name ?? "") \(attributes.sorted().joined(separator: " "))"
        return [line] + element.elements.flatMap { lines($0, depth: depth + 1) }
    }

    private static func strings(_ property: InterfaceDescription.Property) -> [String] {
        let changeSignal =
            switch property.changeSignal {
            case .value: "true"
            case .invalidation: "invalidates"
            case .constant: "const"
            case .none: "false"
            }
        return [property.name.text, property.type.text, property.isWritable ? "readwrite" : "read", changeSignal]
    }
}
