// SPDX-License-Identifier: MIT

import DBus

/// A shortcut as it travels to the portal and back, `(sa{sv})`.
struct PortalShortcut: WireCodable {
    static let wireType = "(sa{sv})"

    var id: String
    /// To the portal `description` and `preferred_trigger`, from it `description` and `trigger_description`.
    var attributes: [Key: Value]

    init(id: String, attributes: [Key: Value]) {
        self.id = id
        self.attributes = attributes
    }

    init(from reader: inout Reader) throws(DBusError) {
        self = try reader.structure { (reader) throws(DBusError) in
            Self(id: try reader.read(), attributes: try reader.read())
        }
    }

    init(_ value: Value) throws(DBusError) {
        let fields = try value.fields(2, of: Self.self)
        id = try String(fields[0])
        attributes = try [Key: Value](fields[1])
    }

    func write(to writer: inout Writer) throws(DBusError) {
        try writer.structure { (writer) throws(DBusError) in
            try writer.write(id)
            try writer.write(attributes)
        }
    }
}
