// SPDX-License-Identifier: MIT

/// The `Exec` key (Desktop Entry Specification, "The Exec key").
enum ExecLine {
    /// The arguments of a line, quotes taken away, field codes removed and `%%` made `%`.
    ///
    /// An argument that was nothing but a field code goes with it. Nothing is expanded: what the codes stand for is
    /// known when the application is started, and it is not started here.
    /// - Returns: nil where a quote is not closed or nothing remains.
    static func arguments(of text: String) -> [String]? {
        var cursor = ByteCursor(text.utf8)
        var arguments: [String] = []
        while true {
            cursor.skipWhitespace()
            guard !cursor.isAtEnd else { return arguments.isEmpty ? nil : arguments }
            var argument = Argument()
            guard argument.read(from: &cursor) else { return nil }
            if !argument.isFieldCode {
                arguments.append(String(decoding: argument.bytes, as: UTF8.self))
            }
        }
    }

    /// The program among arguments: the first, or where that is `env` the first after its options and assignments.
    static func program(in arguments: [String]) -> String? {
        guard let first = arguments.first, PathName.last(of: first) == "env" else { return arguments.first }
        return arguments.dropFirst().first { !$0.utf8.contains(UInt8(ascii: "=")) && !$0.begins(with: "-") }
    }

    private struct Argument {
        var bytes: [UInt8] = []
        private var hasCodes = false
        private var hasQuotes = false

        /// Whether it was nothing but field codes.
        var isFieldCode: Bool { bytes.isEmpty && hasCodes && !hasQuotes }

        /// Reads up to the next space; false where a quote is not closed.
        mutating func read(from cursor: inout ByteCursor) -> Bool {
            while let byte = cursor.next, !byte.isASCIIWhitespace {
                _ = cursor.take()
                switch byte {
                case UInt8(ascii: "\""):
                    hasQuotes = true
                    guard readQuoted(from: &cursor) else { return false }
                case UInt8(ascii: "\\"):
                    bytes.append(cursor.take() ?? byte)
                case UInt8(ascii: "%"):
                    readCode(from: &cursor)
                default:
                    bytes.append(byte)
                }
            }
            return true
        }

        private mutating func readQuoted(from cursor: inout ByteCursor) -> Bool {
            while let byte = cursor.take() {
                switch byte {
                case UInt8(ascii: "\""):
                    return true
                case UInt8(ascii: "\\"):
                    guard let escaped = cursor.take() else { return false }
                    // The backslash stays before what needs none, as in a shell.
                    bytes += "\"`$\\".utf8.contains(escaped) ? [escaped] : [byte, escaped]
                case UInt8(ascii: "%"):
                    readCode(from: &cursor)
                default:
                    bytes.append(byte)
                }
            }
            return false
        }

        private mutating func readCode(from cursor: inout ByteCursor) {
            if cursor.take(UInt8(ascii: "%")) {
                bytes.append(UInt8(ascii: "%"))
            } else if let code = cursor.next, code.isASCIIAlphanumeric {
                _ = cursor.take()
                hasCodes = true
            } else {
                bytes.append(UInt8(ascii: "%"))
            }
        }
    }
}
