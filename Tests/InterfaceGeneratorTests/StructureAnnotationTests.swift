// SPDX-License-Identifier: MIT

import Testing

@testable import InterfaceGenerator

@Suite struct StructureAnnotationTests {
    @Test(
        "white space between the tokens means nothing",
        arguments: [
            "Section(id, items: Item(id, value), attributes)",
            "Section(id,items:Item(id,value),attributes)",
            "  Section\n ( id\t,\r\n items : Item\n(id ,\n value ) , attributes )\n",
        ])
    func whiteSpace(text: String) throws {
        let item = StructureAnnotation(name: "Item", fields: [Self.field("id"), Self.field("value")])
        let section = StructureAnnotation(
            name: "Section",
            fields: [
                Self.field("id"), StructureAnnotation.Field(name: "items", structure: item), Self.field("attributes"),
            ])
        let annotation = try StructureAnnotation(parsing: text)
        #expect(annotation == section)
        #expect(annotation.description == "Section(id, items: Item(id, value), attributes)")
    }

    @Test(
        "a malformed annotation is refused with what was expected where",
        arguments: [
            ("", "expected the name of a structure, which begins with a capital letter, found the end"),
            ("section(id)", "expected the name of a structure, which begins with a capital letter, found \"section\""),
            ("Section", "expected \"(\" after \"Section\", found the end"),
            ("Section()", "expected the name of a field, which begins with a small letter after \"(\", found \")\""),
            ("Section(id,)", "expected the name of a field, which begins with a small letter after \",\", found \")\""),
            ("Section(id", "expected \")\" after \"id\", found the end"),
            ("Section(id title)", "expected \")\" after \"id\", found \"title\""),
            ("Section(id) x", "expected the end after \")\", found \"x\""),
            ("Section(items: item(id))", "expected the name of a structure"),
            ("Section(Id)", "expected the name of a field"),
            ("Section(id-x)", "expected \")\" after \"id\", found \"-\""),
            ("Section(id, id)", "Section has the field id twice"),
        ])
    func malformed(text: String, fault: String) {
        let error = #expect(throws: Fault.self) { try StructureAnnotation(parsing: text) }
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
    }

    @Test(
        "an annotation that does not fit the type is refused",
        arguments: [
            ("s", "Pair(a, b)", "Pair names a structure, but \"s\" is none"),
            ("a{sv}", "Pair(a, b)", "Pair names a structure, but \"v\" is none"),
            ("(sss)", "Pair(a, b)", "Pair has 2 fields, but \"(sss)\" has 3"),
            ("(sv)", "Pair(a, b: Inner(c))", "field b of Pair: Inner names a structure, but \"v\" is none"),
            ("(s(v))", "Pair(a, b)", "field b of Pair: the structure \"(v)\" has no name"),
            ("a{b(ss)}", "Pair(a, b)", "a dictionary with keys of type \"b\" has no Swift type"),
            ("(ss)", "Pair(a, self)", "\"self\" cannot be a name in Swift"),
        ])
    func misfit(signature: String, annotation: String, fault: String) throws {
        let type = try SignatureParser.parse(signature)
        let annotation = try StructureAnnotation(parsing: annotation)
        let error = #expect(throws: Fault.self) { try NamedType(type, named: annotation) }
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
    }

    private static func field(_ name: String) -> StructureAnnotation.Field {
        StructureAnnotation.Field(name: name, structure: nil)
    }
}
