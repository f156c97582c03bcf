// SPDX-License-Identifier: MIT

/// The variables of a file such as `os-release(5)` and `machine-info(5)`: shell assignments without expansion.
struct ShellAssignments {
    private var values: [String: String] = [:]

    /// Reads assignments; lines that are none are passed over, and of two to one variable the last counts.
    init(_ text: String) {
        for line in FactText.lines(text) {
            let line = FactText.trim(line)
            guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")), line.utf8.first != UInt8(ascii: "#") else {
                continue
            }
            let name = String(line[..<equals])
            values[name] = Self.unquote(line[line.utf8.index(after: equals)...])
        }
    }

    /// The value of a variable; nil if it is unset or empty.
    subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    /// Removes quotes and backslashes as a shell does.
    private static func unquote(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var quote: UInt8?
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                // Between double quotes a backslash is special before some characters alone.
                if quote != nil, !"$`\"\\".utf8.contains(byte) {
                    bytes.append(UInt8(ascii: "\\"))
                }
                bytes.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
                isEscaped = true
            } else if let open = quote {
                if byte == open {
                    quote = nil
                } else {
                    bytes.append(byte)
                }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
