// SPDX-License-Identifier: MIT

extension JSONValue {
    /// How a value is laid out as text.
    public enum Layout: Sendable {
        /// Without white space.
        case compact
        /// A line for each element and member, indented by two spaces a level.
        case pretty
    }

    /// The value as JSON text. A double is written with the fewest digits that read back as the same number and with a
    /// point or exponent, so that it stays a double; NaN and infinities, which JSON has not, are `null`.
    public func serialized(_ layout: Layout = .compact) -> String {
        var writer = Writer(layout: layout)
        writer.write(self, depth: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private struct Writer {
        let layout: Layout
        var bytes: [UInt8] = []

        mutating func write(_ value: JSONValue, depth: Int) {
            switch value {
            case .null: bytes += "null".utf8
            case .bool(let value): bytes += (value ? "true" : "false").utf8
            case .integer(let value): bytes += String(value).utf8
            case .unsigned(let value): bytes += String(value).utf8
            case .double(let value): bytes += (value.isFinite ? value.description : "null").utf8
            case .string(let value): write(value)
            case .array(let elements):
                writeList("[", elements, "]", depth: depth) { writer, element in
                    writer.write(element, depth: depth + 1)
                }
            case .object(let members):
                writeList("{", members, "}", depth: depth) { writer, member in
                    writer.write(member.key)
                    writer.bytes += (writer.layout == .pretty ? ": " : ":").utf8
                    writer.write(member.value, depth: depth + 1)
                }
            }
        }

        private mutating func writeList<Element>(
            _ start: String, _ elements: [Element], _ end: String, depth: Int,
            writeElement: (inout Writer, Element) -> Void
        ) {
            bytes += start.utf8
            for (index, element) in elements.enumerated() {
                if index > 0 {
                    bytes.append(UInt8(ascii: ","))
                }
                breakLine(depth: depth + 1)
                writeElement(&self, element)
            }
            if !elements.isEmpty {
                breakLine(depth: depth)
            }
            bytes += end.utf8
        }

        private mutating func breakLine(depth: Int) {
            guard layout == .pretty else { return }
            bytes.append(UInt8(ascii: "\n"))
            bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
        }

        private mutating func write(_ text: String) {
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""): bytes += #"\""#.utf8
                case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
                case 0x08: bytes += #"\b"#.utf8
                case 0x09: bytes += #"\t"#.utf8
                case 0x0A: bytes += #"\n"#.utf8
                case 0x0C: bytes += #"\f"#.utf8
                case 0x0D: bytes += #"\r"#.utf8
                case 0x00..<0x20:
                    bytes += #"\u00"#.utf8
                    bytes += [UInt8.hexadecimalDigits[Int(byte >> 4)], .hexadecimalDigits[Int(byte & 0xF)]]
                default: bytes.append(byte)
                }
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }
}
