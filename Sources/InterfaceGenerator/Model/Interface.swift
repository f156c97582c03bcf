// SPDX-License-Identifier: MIT

/// An interface as its file describes it, every member checked.
struct Interface {
    let name: String
    /// The last element of the name, which the Swift types are named by.
    let baseName: String
    let location: Location
    let documentation: Documentation
    let annotations: [Annotation]
    let methods: [Method]
    let signals: [Signal]
    let properties: [Property]
    /// The `<interface>` element in its canonical form.
    let xml: String
}

/// An annotation.
struct Annotation: Hashable {
    let name: String
    let value: String
}

/// A method.
struct Method {
    let name: String
    /// The name of the Swift function, not yet escaped.
    let swiftName: String
    let location: Location
    let documentation: Documentation
    let arguments: [Argument]
    let results: [Argument]
}

/// A signal.
struct Signal {
    let name: String
    let location: Location
    let documentation: Documentation
    let arguments: [Argument]
}

/// An argument of a method or signal, or a result.
struct Argument {
    let name: String
    let swiftName: String
    let type: NamedType
}

/// A property.
struct Property {
    /// How changes are announced (annotation `EmitsChangedSignal`).
    enum ChangeSignal: String, CaseIterable {
        case value = "true"
        case invalidation = "invalidates"
        case constant = "const"
        case none = "false"
    }

    let name: String
    let swiftName: String
    let location: Location
    let documentation: Documentation
    let type: NamedType
    let isWritable: Bool
    let changeSignal: ChangeSignal

    /// The name of the Swift function that writes it.
    var setterName: String { "set\(SwiftName.capitalized(swiftName))" }
}

extension Sequence<Argument> {
    /// The signature of the arguments in order.
    var signature: String { map(\.type.signature).joined() }
}
