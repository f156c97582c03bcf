// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML
import Testing
import TestSupport

extension ConformanceTests {
    /// Whether `Introspection/*.xml` says what everything is for.
    @Suite("Documentation of the interfaces")
    struct DocumentationTests {
        @Test("every interface, member and argument is documented")
        func everything() throws {
            for (file, document) in try IntrospectionDocument.files() {
                for (element, comment) in try document.comments() {
                    let name = try element.required("name")
                    let lines = try #require(comment, "\(file): \(name) is undocumented")
                        .split(separator: "\n", omittingEmptySubsequences: false)
                        .map { $0.trimmingCharacters(in: .whitespaces) }.drop(while: \.isEmpty)
                    #expect(lines.first == "\(name):", "\(file): the comment of \(name) begins with its name")
                    let head = lines.dropFirst().prefix { !$0.isEmpty }
                    let described = head.compactMap { $0.firstMatch(of: /^@([a-z0-9_]+): \S/).map { String($0.1) } }
                    let arguments = try element.elements(forName: "arg").map { try $0.required("name") }
                    #expect(described == arguments, "\(file): the arguments of \(name)")
                    let summary = lines.dropFirst(1 + head.count).drop(while: \.isEmpty).first ?? ""
                    #expect(
                        summary.contains(" ") && !summary.hasPrefix("Errors"), "\(file): what \(name) is: \(summary)")
                }
            }
        }

        @Test("every error that is documented is one of the contract's")
        func errors() throws {
            let standard: Set = [
                "InvalidArgs", "UnknownMethod", "UnknownObject", "UnknownInterface", "UnknownProperty",
                "PropertyReadOnly", "AccessDenied", "LimitsExceeded", "NotSupported", "Timeout", "UnixProcessIdUnknown",
            ]
            let own: Set = [
                "UnknownApplication", "UnknownTool", "UnknownItem", "UnknownAction", "UnknownPreference",
                "UnknownProfile", "UnknownChange", "UnknownTrigger", "UnknownWatch", "UnknownSubscription",
                "UnknownMetric", "InvalidValue", "ReadOnly", "Conflict", "Denied", "Unavailable", "StorageFull",
                "StorageDamaged", "Paused", "ProviderTimeout", "ProviderGone",
            ]
            var documented: Set<String> = []
            for (file, _) in try IntrospectionDocument.files() {
                let text = try ConformanceTests.text(of: "Introspection/\(file)")
                for match in text.matches(of: /org\.(freedesktop\.DBus|sentinel)\.Error\.([A-Za-z]+)/) {
                    let isOwn = match.1 == "sentinel"
                    #expect((isOwn ? own : standard).contains(String(match.2)), "\(file): \(match.0)")
                    if isOwn {
                        documented.insert(String(match.2))
                    }
                }
            }
            #expect(documented == own, "each error of the service's own is documented where it is given")
        }
    }
}
