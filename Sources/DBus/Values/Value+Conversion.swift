// SPDX-License-Identifier: MIT

/// Reading a value that a person or a loosely typed client has given.
///
/// Any integer width that fits is taken where an integer or a double is wanted, and layers of variant around a value
/// are removed. A truth value is no number, a number no truth value, and a path or signature no text.
extension Value {
    /// The value as an integer of the type wanted.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` that names the type and the range wanted.
    public func integer<Integer: FixedWidthInteger>(
        as type: Integer.Type = Integer.self
    ) throws(DBusError) -> Integer {
        guard let integer: Integer = exactInteger() else {
            throw refusal(wanted: "an integer from \(Integer.min) to \(Integer.max)")
        }
        return integer
    }

    /// The value as a finite double; an integer that a double holds exactly is taken as well.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` that names the type wanted.
    public func finiteDouble() throws(DBusError) -> Double {
        if case .double(let value) = unwrapped, value.isFinite {
            return value
        }
        if let integer: Int64 = exactInteger(), let double = Double(exactly: integer) {
            return double
        }
        if let integer: UInt64 = exactInteger(), let double = Double(exactly: integer) {
            return double
        }
        throw refusal(wanted: "a finite number (d)")
    }

    /// The value as a truth value.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` that names the type wanted.
    public func truth() throws(DBusError) -> Bool {
        guard case .boolean(let value) = unwrapped else { throw refusal(wanted: "true or false (b)") }
        return value
    }

    /// The value as text.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` that names the type wanted.
    public func text() throws(DBusError) -> String {
        guard case .string(let value) = unwrapped else { throw refusal(wanted: "text (s)") }
        return value
    }

    /// The fields of the value as of a structure that has so many.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` that names the type wanted.
    public func fields(_ count: Int, of type: (some WireCodable).Type) throws(DBusError) -> [Value] {
        guard case .structure(let fields) = unwrapped, fields.count == count else {
            throw refusal(wanted: "a structure of type \(type.wireType)")
        }
        return fields
    }

    /// The error for a value of another type or outside the range; it does not repeat the value.
    func refusal(wanted: String) -> DBusError {
        DBusError(.invalidArgs, "expected \(wanted), got a value of type \(unwrapped.type) that does not fit")
    }

    /// The value as an integer, or nil if it is none or does not fit.
    private func exactInteger<Integer: FixedWidthInteger>() -> Integer? {
        switch unwrapped {
        case .byte(let value): Integer(exactly: value)
        case .int16(let value): Integer(exactly: value)
        case .uint16(let value): Integer(exactly: value)
        case .int32(let value): Integer(exactly: value)
        case .uint32(let value): Integer(exactly: value)
        case .int64(let value): Integer(exactly: value)
        case .uint64(let value): Integer(exactly: value)
        default: nil
        }
    }
}
