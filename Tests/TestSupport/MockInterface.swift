// SPDX-License-Identifier: MIT

public import DBus

/// An interface whose properties are of whatever type a test gives them.
public final class MockInterface: InterfaceImplementation, @unchecked Sendable {
    /// A method, and how it is answered.
    public struct Method: Sendable {
        let name: MemberName
        let arguments: Signature
        let answer: @Sendable (MethodCall) -> Void

        /// A method without results unless the answer writes some.
        public init(_ name: MemberName, arguments: Signature = "", answer: @escaping @Sendable (MethodCall) -> Void) {
            self.name = name
            self.arguments = arguments
            self.answer = answer
        }
    }

    public let description: InterfaceDescription
    var properties: [Key: Value]
    private let methods: [Method]
    private let calls: Recorder<String>

    init(_ name: InterfaceName, properties: [Key: Value], methods: [Method], calls: Recorder<String>) {
        self.properties = properties
        self.methods = methods
        self.calls = calls
        description = InterfaceDescription(
            name,
            methods: methods.map { InterfaceDescription.Method($0.name, arguments: $0.arguments, results: "") },
            properties: properties.keys.sorted().map {
                InterfaceDescription.Property(Self.member($0), type: "s", changeSignal: .value)
            },
            xml: "")
    }

    public func invoke(_ index: Int, _ call: MethodCall) throws(DBusError) {
        calls.append(methods[index].name.text)
        methods[index].answer(call)
    }

    public func property(_ index: Int) throws(DBusError) -> any WireCodable {
        let name = description.properties[index].name
        guard let value = properties[Key(name.text)] else { throw DBusError(.unknownProperty, "no \(name)") }
        return value
    }

    private static func member(_ key: Key) -> MemberName {
        do {
            return try MemberName(key.text)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
