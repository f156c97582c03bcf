// SPDX-License-Identifier: MIT

import CDBus

/// What went wrong on the bus, here or at a peer.
public struct DBusError: Error, Sendable {
    /// What kind of error it is: its name on the bus.
    public let code: ErrorName
    /// What was wrong, what is allowed and what to do, for a person.
    public let message: String
    /// What caused it, if that came from elsewhere.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(_ code: ErrorName, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}

extension DBusError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}

/// The standard errors (D-Bus Specification and `dbus-protocol.h`).
extension Checked where Syntax == ErrorNameSyntax {
    /// A failure with no name of its own.
    public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
    /// Arguments of a wrong type or outside their range.
    public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
    /// A signature that does not fit.
    public static let invalidSignature: ErrorName = "org.freedesktop.DBus.Error.InvalidSignature"
    /// No method of that name, or none with that signature.
    public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    /// No object at that path.
    public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
    /// An object without that interface.
    public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
    /// An interface without that property.
    public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
    /// A property that cannot be written.
    public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
    /// Something the caller may not do.
    public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
    /// A limit that is reached.
    public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
    /// Something that is not there, or not here.
    public static let notSupported: ErrorName = "org.freedesktop.DBus.Error.NotSupported"
    /// Memory that is not to be had.
    public static let noMemory: ErrorName = "org.freedesktop.DBus.Error.NoMemory"
    /// No reply in the time allowed.
    public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
    /// An operation that took too long.
    public static let timeout: ErrorName = "org.freedesktop.DBus.Error.Timeout"
    /// A connection that has ended.
    public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
    /// A bus that cannot be reached.
    public static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
    /// A name that nobody owns and nobody can be started for.
    public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
    /// A name that nobody owns.
    public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
    /// A peer whose process cannot be told.
    public static let unixProcessIdUnknown: ErrorName = "org.freedesktop.DBus.Error.UnixProcessIdUnknown"
    /// A call that its caller has given up. It never travels; `NoReply` with a name of its own.
    public static let cancelled: ErrorName = "org.freedesktop.DBus.Error.Cancelled"
}

extension DBusError {
    /// The end of memory in libdbus.
    static let outOfMemory = DBusError(.noMemory, "out of memory")

    /// Runs a libdbus function that reports through a `DBusError` structure of its own.
    static func catching<Result>(
        _ body: (UnsafeMutablePointer<CDBus.DBusError>) -> Result
    ) throws(DBusError) -> Result {
        var raw = CDBus.DBusError()
        dbus_error_init(&raw)
        defer { dbus_error_free(&raw) }
        let result = body(&raw)
        guard dbus_error_is_set(&raw) == 0 else {
            let name = raw.name.map { String(cString: $0) } ?? ErrorName.failed.text
            throw DBusError(ErrorName(unchecked: name), raw.message.map { String(cString: $0) } ?? "no message")
        }
        return result
    }
}
