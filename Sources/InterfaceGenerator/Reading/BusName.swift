// SPDX-License-Identifier: MIT

/// The rules for names on the bus (D-Bus Specification, "Valid Names").
enum BusName {
    private static let longest = 255

    /// Checks the name of an interface and gives its elements.
    static func interfaceElements(_ name: String) throws(Fault) -> [Substring] {
        let elements = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= longest, elements.count > 1, elements.allSatisfy(isElement) else {
            throw Fault(
                "\(quoted(name)) is no name of an interface; it is at least two elements with dots between them, each "
                    + "of A-Z a-z 0-9 _ and not beginning with a digit, at most \(longest) bytes in all")
        }
        return elements
    }

    /// Checks the name of a method, signal, property or argument.
    static func checkMember(_ name: String) throws(Fault) {
        guard name.utf8.count <= longest, isElement(name[...]) else {
            throw Fault(
                "\(quoted(name)) is no name; it is 1 to \(longest) of A-Z a-z 0-9 _ and does not begin with a digit")
        }
    }

    private static func isElement(_ element: Substring) -> Bool {
        guard let first = element.first, !("0"..."9").contains(first) else { return false }
        return element.allSatisfy { character in
            ("A"..."Z").contains(character) || ("a"..."z").contains(character) || ("0"..."9").contains(character)
                || character == "_"
        }
    }
}
