// SPDX-License-Identifier: MIT

/// What an interface consists of, as its introspection data says.
public struct InterfaceDescription: Sendable {
    /// A method.
    public struct Method: Sendable {
        /// The method's name.
        public let name: MemberName
        /// The signature of the arguments.
        public let arguments: Signature
        /// The signature of the results.
        public let results: Signature

        /// Makes the description of a method.
        public init(_ name: MemberName, arguments: Signature, results: Signature) {
            self.name = name
            self.arguments = arguments
            self.results = results
        }
    }

    /// How a change of a property is made known (annotation `EmitsChangedSignal`).
    public enum ChangeSignal: Sendable {
        /// `PropertiesChanged` carries the new value.
        case value
        /// `PropertiesChanged` carries the name alone.
        case invalidation
        /// The property never changes.
        case constant
        /// Changes are not made known.
        case none
    }

    /// A property.
    public struct Property: Sendable {
        /// The property's name.
        public let name: MemberName
        /// The type of its values.
        public let type: ValueType
        /// Whether callers may set it.
        public let isWritable: Bool
        /// How its changes are made known.
        public let changeSignal: ChangeSignal

        /// Makes the description of a property.
        public init(_ name: MemberName, type: ValueType, isWritable: Bool = false, changeSignal: ChangeSignal) {
            self.name = name
            self.type = type
            self.isWritable = isWritable
            self.changeSignal = changeSignal
        }
    }

    /// The interface's name.
    public let name: InterfaceName
    /// The methods; an implementation knows them by their place here.
    public let methods: [Method]
    /// The properties; an implementation knows them by their place here.
    public let properties: [Property]
    /// The `<interface>` element of the introspection data.
    public let xml: String

    private let methodIndices: [MemberName: Int]
    private let propertyIndices: [MemberName: Int]

    /// Makes the description of an interface; no two methods and no two properties have the same name.
    public init(_ name: InterfaceName, methods: [Method] = [], properties: [Property] = [], xml: String) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.xml = xml
        methodIndices = Dictionary(
            uniqueKeysWithValues: methods.enumerated().map { ($0.element.name, $0.offset) })
        propertyIndices = Dictionary(
            uniqueKeysWithValues: properties.enumerated().map { ($0.element.name, $0.offset) })
    }

    /// Finds a method's place.
    func index(ofMethod name: MemberName) -> Int? { methodIndices[name] }

    /// Finds a property's place.
    func index(ofProperty name: MemberName) -> Int? { propertyIndices[name] }
}
