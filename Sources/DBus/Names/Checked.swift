// SPDX-License-Identifier: MIT

/// The rules that a kind of D-Bus text obeys.
public protocol TextSyntax: Sendable {
    /// What the text is called in messages, for example "object path".
    static var noun: String { get }

    /// Tells what is wrong with a text, or returns nil if nothing is.
    static func problem(with text: String) -> String?
}

/// Text that is known to obey the rules of the D-Bus Specification for its kind.
///
/// libdbus ends the process when it is handed a malformed name. Only checked text reaches it.
public struct Checked<Syntax: TextSyntax>: Hashable, Sendable {
    /// The text itself.
    public let text: String

    /// Checks a text.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` that says what is wrong.
    public init(_ text: String) throws(DBusError) {
        if let problem = Syntax.problem(with: text) {
            throw DBusError(.invalidArgs, "not a valid \(Syntax.noun): \(problem)")
        }
        self.text = text
    }

    /// Takes over a text that libdbus, or the caller, has checked already.
    init(unchecked text: String) {
        self.text = text
    }
}

extension Checked: CustomStringConvertible {
    public var description: String { text }
}

extension Checked: Comparable {
    public static func < (left: Checked, right: Checked) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension Checked: ExpressibleByStringLiteral {
    /// Takes a name that stands in the source; a malformed one is a programmer's error.
    public init(stringLiteral text: String) {
        if let problem = Syntax.problem(with: text) {
            preconditionFailure("\"\(text)\" is not a valid \(Syntax.noun): \(problem)")
        }
        self.text = text
    }
}
