// SPDX-License-Identifier: MIT

import Glibc

/// Where a message bus listens (D-Bus Specification, "Server Addresses").
public struct BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address as text, for example `unix:path=/run/user/1000/bus`.
    public let text: String

    /// Takes an address as text. It is looked at when a connection is opened.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` if the text is empty or has a NUL.
    public init(_ text: String) throws(DBusError) {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw DBusError(.invalidArgs, "a bus address must be text such as unix:path=/run/user/1000/bus")
        }
        self.text = text
    }

    public var description: String { text }

    /// The session bus: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR` if there is one.
    ///
    /// - Throws: ``DBusError`` with code `noServer` if neither is there.
    public static func session(
        environment: (String) -> String? = processEnvironment
    ) throws(DBusError) -> BusAddress {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
            return try BusAddress(address)
        }
        guard let directory = environment("XDG_RUNTIME_DIR"), !directory.isEmpty else {
            throw DBusError(
                .noServer, "no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
        }
        let socket = "\(directory)/bus"
        guard access(socket, F_OK) == 0 else {
            throw DBusError(
                .noServer, "no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and \(socket) is not there")
        }
        return try BusAddress("unix:path=\(escape(socket))")
    }

    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else its well-known socket.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` if the variable has a NUL.
    public static func system(
        environment: (String) -> String? = processEnvironment
    ) throws(DBusError) -> BusAddress {
        if let address = environment("DBUS_SYSTEM_BUS_ADDRESS"), !address.isEmpty {
            return try BusAddress(address)
        }
        return try BusAddress("unix:path=/var/run/dbus/system_bus_socket")
    }

    /// Reads a variable of this process's environment.
    public static func processEnvironment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Escapes a value as addresses want it: all but some characters as `%` and two hexadecimal digits.
    private static func escape(_ value: String) -> String {
        var escaped = ""
        for byte in value.utf8 {
            if isASCIILetterDigitOrUnderscore(byte) || "-/.\\*".utf8.contains(byte) {
                escaped.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = String(byte, radix: 16)
                escaped += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return escaped
    }
}
