// SPDX-License-Identifier: MIT

/// Markup of HTML that is well-formed XML too. What is put into a literal is escaped, unless it is markup itself.
struct Markup: ExpressibleByStringInterpolation {
    /// The markup.
    private(set) var text: String

    /// Takes what a literal says as markup.
    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Some, one after the other.
    init(_ parts: some Sequence<Markup>) {
        text = ""
        for part in parts {
            text += part.text
        }
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        mutating func appendInterpolation(_ markup: Markup) {
            text += markup.text
        }

        mutating func appendInterpolation(_ number: Int) {
            text += String(number)
        }

        /// Text, for content and for the value of an attribute.
        mutating func appendInterpolation(_ content: String) {
            for scalar in content.unicodeScalars {
                switch scalar {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&#34;"
                case "'": text += "&#39;"
                case "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"  // Neither XML nor HTML has them.
                default: text.unicodeScalars.append(scalar)
                }
            }
        }

        /// A part of the width, as a percentage.
        mutating func appendInterpolation(width fraction: Double) {
            let thousandths = Int((min(max(fraction, 0), 1) * 100_000).rounded())
            let (whole, part) = (thousandths / 1000, thousandths % 1000)
            text += part == 0 ? "\(whole)%" : "\(whole).\(String(part + 1000).dropFirst())%"
        }
    }
}
