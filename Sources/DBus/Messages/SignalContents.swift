// SPDX-License-Identifier: MIT

/// The arguments of one kind of signal, as a Swift type that the interface generator makes.
public protocol SignalContents: Sendable {
    /// The interface that the signal belongs to.
    static var interface: InterfaceName { get }
    /// The signal's name.
    static var member: MemberName { get }
    /// The signature of the arguments.
    static var signature: Signature { get }

    /// Reads the arguments.
    ///
    /// - Throws: ``DBusError`` with code `invalidSignature` if the body is another one.
    init(from reader: inout Reader) throws(DBusError)

    /// Writes the arguments.
    ///
    /// - Throws: as ``Writer/write(_:)``.
    func write(to writer: inout Writer) throws(DBusError)
}
