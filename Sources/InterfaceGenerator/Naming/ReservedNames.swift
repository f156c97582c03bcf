// SPDX-License-Identifier: MIT

/// Names that the generated code needs itself.
enum ReservedNames {
    /// Arguments: the generated functions have parameters and properties of these names.
    static let arguments: Set = ["reply", "remote"]

    /// Methods without arguments and properties: the generated proxies have such a property.
    static let members: Set = ["remote"]

    /// Types: what the generated code, or whoever uses it, means by these names.
    static let types: Set = [
        "Any", "AnyObject", "Array", "Bool", "BusName", "Connection", "DBusError", "Dictionary", "Double", "Duration",
        "Error", "ErrorName", "FileDescriptor", "Hashable", "Hasher", "Int", "Int16", "Int32", "Int64",
        "InterfaceDescription", "InterfaceImplementation", "InterfaceName", "InterfaceWithProperties", "Key",
        "MemberName", "Message",
        "MethodCall", "ObjectPath", "Optional", "Property", "Reader", "RemoteInterface", "RemoteSignals", "Reply",
        "Result", "Self", "Sendable", "Set", "Signature", "SignalContents", "String", "UInt", "UInt16", "UInt32",
        "UInt64", "UInt8", "Value", "ValueType", "Void", "WireCodable", "WireKey", "Writer",
    ]

    /// What is added to an interface's base name for its other types.
    static let interfaceSuffixes = ["", "Handler", "Implementation", "Proxy"]
}
