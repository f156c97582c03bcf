// SPDX-License-Identifier: MIT

/// Any text as one element of an object path, in systemd's escaping (`sd_bus_path_encode(3)`): what is not an ASCII
/// letter or digit, and a digit in front, becomes `_` and two lower-case hexadecimal digits; no text becomes `_`.
public enum BusLabel {
    /// The element for a text.
    public static func escape(_ text: String) -> String {
        guard !text.isEmpty else { return "_" }
        var label: [UInt8] = []
        for byte in text.utf8 {
            if byte.isASCIILetter || (byte.isASCIIDigit && !label.isEmpty) {
                label.append(byte)
            } else {
                label += [
                    UInt8(ascii: "_"), UInt8.hexadecimalDigits[Int(byte >> 4)], .hexadecimalDigits[Int(byte & 0xF)],
                ]
            }
        }
        return String(decoding: label, as: UTF8.self)
    }

    /// The text of an element; nil where `escape` gives no such element, so that one text has one path.
    public static func unescape(_ label: String) -> String? {
        guard label != "_" else { return "" }
        var bytes: [UInt8] = []
        var rest = label.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self), escape(text).utf8.elementsEqual(label.utf8) else {
            return nil
        }
        return text
    }
}
