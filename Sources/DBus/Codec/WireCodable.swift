// SPDX-License-Identifier: MIT

/// A Swift type that stands for one complete D-Bus type.
///
/// Conforming are the basic types, ``FileDescriptor``, ``Value`` (a variant), arrays, dictionaries, and the structures
/// that the interface generator makes.
public protocol WireCodable: Sendable {
    /// The D-Bus type, for example `a{sv}`.
    static var wireType: String { get }

    /// Reads the next value.
    ///
    /// - Throws: ``DBusError`` with code `invalidSignature` if the next value has another type, `invalidArgs` if it
    ///   cannot be taken.
    init(from reader: inout Reader) throws(DBusError)

    /// Takes a value that arrived as a variant, with the leniency of ``Value/integer(as:)`` and its siblings.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` that names what was wanted.
    init(_ value: Value) throws(DBusError)

    /// Appends the value.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` for what cannot travel, `limitsExceeded` for what is too large.
    func write(to writer: inout Writer) throws(DBusError)
}

/// A type that can be the key of a dictionary.
public protocol WireKey: WireCodable, Hashable, Comparable {}

extension WireCodable {
    /// Refuses a variant that holds another type, for conformances without conversions.
    static func refuse(_ value: Value) -> DBusError {
        value.refusal(wanted: "a value of type \(wireType)")
    }
}
