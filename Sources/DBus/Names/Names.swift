// SPDX-License-Identifier: MIT

/// A bus name, unique (`:1.5`) or well-known (`org.sentinel`).
public typealias BusName = Checked<BusNameSyntax>
/// The name of an interface, for example `org.freedesktop.DBus.Peer`.
public typealias InterfaceName = Checked<InterfaceNameSyntax>
/// The name of a method, signal or property.
public typealias MemberName = Checked<MemberNameSyntax>
/// The name of an error, for example `org.freedesktop.DBus.Error.InvalidArgs`.
public typealias ErrorName = Checked<ErrorNameSyntax>

/// The longest name that the D-Bus Specification allows, in bytes.
let longestName = 255

/// Syntax of bus names (D-Bus Specification, "Bus names").
public enum BusNameSyntax: TextSyntax {
    public static let noun = "bus name"

    public static func problem(with text: String) -> String? {
        let isUnique = text.utf8.first == UInt8(ascii: ":")
        return problemWithElements(
            of: isUnique ? text.dropFirst() : text[...], allowsHyphen: true, allowsLeadingDigit: isUnique)
    }
}

/// Syntax of interface names (D-Bus Specification, "Interface names").
public enum InterfaceNameSyntax: TextSyntax {
    public static let noun = "interface name"

    public static func problem(with text: String) -> String? {
        problemWithElements(of: text[...], allowsHyphen: false, allowsLeadingDigit: false)
    }
}

/// Syntax of error names, which is that of interface names.
public enum ErrorNameSyntax: TextSyntax {
    public static let noun = "error name"

    public static func problem(with text: String) -> String? { InterfaceNameSyntax.problem(with: text) }
}

/// Syntax of member names (D-Bus Specification, "Member names").
public enum MemberNameSyntax: TextSyntax {
    public static let noun = "member name"

    public static func problem(with text: String) -> String? {
        guard !text.isEmpty else { return "it is empty" }
        guard text.utf8.count <= longestName else { return "it is longer than \(longestName) bytes" }
        return problemWithElement(text.utf8[...], allowsHyphen: false, allowsLeadingDigit: false)
    }
}

extension Checked where Syntax == BusNameSyntax {
    /// The bus itself.
    public static let bus: BusName = "org.freedesktop.DBus"

    /// Whether the bus has given this name to one connection.
    public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }
}

/// Finds the first fault in a name of dot-separated elements.
private func problemWithElements(of text: Substring, allowsHyphen: Bool, allowsLeadingDigit: Bool) -> String? {
    guard !text.isEmpty else { return "it is empty" }
    guard text.utf8.count <= longestName else { return "it is longer than \(longestName) bytes" }
    let elements = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard elements.count > 1 else { return "it needs at least two elements with a dot between them" }
    for element in elements {
        guard !element.isEmpty else { return "it has an empty element" }
        let problem = problemWithElement(element, allowsHyphen: allowsHyphen, allowsLeadingDigit: allowsLeadingDigit)
        if let problem { return problem }
    }
    return nil
}

private func problemWithElement(
    _ element: Substring.UTF8View, allowsHyphen: Bool, allowsLeadingDigit: Bool
) -> String? {
    if let first = element.first, !allowsLeadingDigit, isASCIIDigit(first) {
        return "an element begins with a digit"
    }
    let isAllowed = { (byte: UInt8) in
        isASCIILetterDigitOrUnderscore(byte) || (allowsHyphen && byte == UInt8(ascii: "-"))
    }
    guard element.allSatisfy(isAllowed) else {
        return "only A to Z, a to z, 0 to 9, _\(allowsHyphen ? " and -" : "") are allowed in an element"
    }
    return nil
}

func isASCIIDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

func isASCIILetterDigitOrUnderscore(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
    default: isASCIIDigit(byte)
    }
}
