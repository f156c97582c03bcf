// SPDX-License-Identifier: MIT

/// The path of an object, for example `/org/sentinel`.
public typealias ObjectPath = Checked<ObjectPathSyntax>

/// Syntax of object paths (D-Bus Specification, "Valid Object Paths").
public enum ObjectPathSyntax: TextSyntax {
    public static let noun = "object path"

    public static func problem(with text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "/") else { return "it does not begin with /" }
        guard text.utf8.count > 1 else { return nil }
        let elements = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for element in elements {
            guard !element.isEmpty else { return "it has an empty element" }
            guard element.allSatisfy(isASCIILetterDigitOrUnderscore) else {
                return "only A to Z, a to z, 0 to 9 and _ are allowed in an element"
            }
        }
        return nil
    }
}

extension Checked where Syntax == ObjectPathSyntax {
    /// The path of the topmost object, `/`.
    public static let root: ObjectPath = "/"

    /// The elements between the slashes; none for `/`.
    public var elements: [Substring] { text.split(separator: "/") }

    /// The path of a child.
    ///
    /// - Throws: ``DBusError`` with code `invalidArgs` if `element` is not one valid path element.
    public func appending(_ element: String) throws(DBusError) -> ObjectPath {
        guard !element.isEmpty, !element.utf8.contains(UInt8(ascii: "/")) else {
            throw DBusError(.invalidArgs, "not one element of an object path: it is empty or has a / in it")
        }
        return try ObjectPath(self == .root ? "/\(element)" : "\(text)/\(element)")
    }

    /// Whether `self` lies below `ancestor`.
    public func isDescendant(of ancestor: ObjectPath) -> Bool {
        guard self != ancestor else { return false }
        return ancestor == .root || text.utf8.starts(with: "\(ancestor.text)/".utf8)
    }
}
