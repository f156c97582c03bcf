// SPDX-License-Identifier: MIT

/// A property's value as it stands in a dictionary: a variant of a type that only its interface knows.
struct PropertyValue: WireCodable {
    static var wireType: String { "v" }

    private let value: any WireCodable

    init(_ value: any WireCodable) {
        self.value = value
    }

    init(_ value: Value) {
        self.value = value
    }

    init(from reader: inout Reader) throws(DBusError) {
        value = try reader.read(Value.self)
    }

    func write(to writer: inout Writer) throws(DBusError) {
        if let value = value as? Value {
            try writer.write(value)
        } else {
            try writer.variant(value)
        }
    }
}
