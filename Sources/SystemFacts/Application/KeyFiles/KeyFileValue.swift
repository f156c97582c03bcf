// SPDX-License-Identifier: MIT

/// Values of key files (Desktop Entry Specification, "Possible value types").
enum KeyFileValue {
    /// Text without its escapes.
    static func text(_ raw: String) -> String {
        guard raw.utf8.contains(UInt8(ascii: "\\")) else { return raw }
        return String(decoding: elements(of: raw, separated: false).joined(), as: UTF8.self)
    }

    /// The elements of a list.
    static func list(_ raw: String) -> [String] {
        elements(of: raw, separated: true).map { String(decoding: $0, as: UTF8.self) }
    }

    static func flag(_ raw: String) -> Bool? {
        var text = raw.utf8[...]
        while let last = text.last, last.isASCIIWhitespace {
            text = text.dropLast()
        }
        return switch Substring(text) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    private static func elements(of raw: String, separated: Bool) -> [[UInt8]] {
        var elements: [[UInt8]] = []
        var element: [UInt8] = []
        var rest = raw.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                element += unescaped(escaped, separated)
            } else if byte == UInt8(ascii: ";"), separated {
                elements.append(element)
                element = []
            } else {
                element.append(byte)
            }
        }
        return element.isEmpty ? elements : elements + [element]
    }

    private static func unescaped(_ byte: UInt8, _ separated: Bool) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "s"): [0x20]
        case UInt8(ascii: "n"): [0x0A]
        case UInt8(ascii: "t"): [0x09]
        case UInt8(ascii: "r"): [0x0D]
        case UInt8(ascii: "\\"): [byte]
        case UInt8(ascii: ";") where separated: [byte]
        default: [UInt8(ascii: "\\"), byte]
        }
    }
}
