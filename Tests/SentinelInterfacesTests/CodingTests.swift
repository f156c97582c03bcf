// SPDX-License-Identifier: MIT

import DBus
import Foundation
import FoundationXML
import SentinelInterfaces
import Testing

@Suite struct CodingTests {
    @Test("every structure of the files has a sample")
    func completeness() throws {
        var names: Set<String> = []
        for interface in try IntrospectionFiles.interfaces().values {
            for element in interface.elements.flatMap({ [$0] + $0.elements("arg") }) {
                let annotation = element.annotation("org.sentinel.Structure") ?? ""
                names.formUnion(annotation.matches(of: /[A-Z][A-Za-z0-9]*(?=\()/).map { String($0.output) })
            }
        }
        #expect(Set(Samples.structures.map { "\(type(of: $0))" }) == names)
        #expect(Samples.signals.map { "\(type(of: $0))" } == IntrospectionFiles.signals.map { "\($0)" })
    }

    @Test("a structure is the same after a message, and after a variant")
    func structures() throws {
        for structure in Samples.structures {
            try expectRoundTrip(structure)
        }
    }

    @Test("a signal is the same after a message")
    func signals() throws {
        for signal in Samples.signals {
            try expectRoundTrip(signal)
        }
    }

    @Test("a structure is not taken from a value of another shape")
    func misfits() {
        let good: [Value] = [.string("allow"), .string("type"), .string("*")]
        for value: Value in [
            .structure(Array(good.dropLast())), .structure(good + good), .string("allow"), .options([:]),
            .structure([.string("allow"), .boolean(true), .string("*")]),
        ] {
            let error = #expect(throws: DBusError.self) { try RuleEntry(value) }
            #expect(error?.code == .invalidArgs)
        }
        #expect(throws: Never.self) { try RuleEntry(.variant(.structure(good))) }
    }

    private func expectRoundTrip<Structure: WireCodable & Hashable>(_ structure: Structure) throws {
        let message = try message { (writer) throws(DBusError) in try writer.write(structure) }
        #expect(message.signature.text == Structure.wireType)
        var body = message.body
        #expect(try body.read(Structure.self) == structure)
        let isAtEnd = body.isAtEnd
        #expect(isAtEnd)
        body = message.body
        let value = try body.anyValue()
        #expect(value.type.text == Structure.wireType)
        #expect(try Structure(value) == structure)
    }

    private func expectRoundTrip<Contents: SignalContents & Hashable>(_ contents: Contents) throws {
        let message = try message { (writer) throws(DBusError) in try contents.write(to: &writer) }
        #expect(message.signature == Contents.signature)
        var body = message.body
        #expect(try Contents(from: &body) == contents)
        let isAtEnd = body.isAtEnd
        #expect(isAtEnd)
    }

    private func message(_ body: (inout Writer) throws(DBusError) -> Void) throws(DBusError) -> Message {
        try Message.signal(from: "/", "org.example.Test", "Test", body: body)
    }
}
