// SPDX-License-Identifier: MIT

/// Swift names for the names of the bus.
enum SwiftName {
    /// The name of a function, property, parameter or case: `application_id` and `ApplicationId` are `applicationID`.
    ///
    /// - Throws: ``Fault`` if Swift has no such name.
    static func member(_ name: String) throws(Fault) -> String {
        let words = words(in: name)
        guard let first = words.first, first.first?.isLetter == true else {
            throw Fault("\(quoted(name)) makes no Swift name; it needs a word that begins with a letter")
        }
        let camelCased = first.lowercased() + words.dropFirst().map(word).joined()
        // Not even back-ticks make this a name of one's own.
        guard camelCased != "self" else {
            throw Fault("\(quoted(name)) cannot be a name in Swift; take another one")
        }
        return camelCased
    }

    /// The name with its first letter as a capital one.
    static func capitalized(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The name as it stands in the source: between back-ticks if it is a keyword.
    static func escaped(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    private static func word(_ word: Substring) -> String {
        switch word.lowercased() {
        case "id": "ID"
        case "ids": "IDs"
        default: capitalized(String(word))
        }
    }

    /// Cuts at underscores, before a capital letter after a small one or a digit, and before the last capital letter
    /// of several if a small one follows.
    private static func words(in name: String) -> [Substring] {
        name.split(separator: "_").flatMap { part in
            var words: [Substring] = []
            var start = part.startIndex
            for index in part.indices.dropFirst() where part[index].isUppercase {
                let before = part[part.index(before: index)]
                let after = part.index(after: index)
                if !before.isUppercase || (after < part.endIndex && part[after].isLowercase) {
                    words.append(part[start..<index])
                    start = index
                }
            }
            return words + [part[start...]]
        }
    }

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
