// SPDX-License-Identifier: MIT

/// Reads the members of one JSON object of a declaration, and keeps account of those that nobody asked for.
public struct DeclarationReader {
    /// Where the object stands, such as `tools[0]`; empty for the whole document.
    public let path: String
    private let members: [DataKey: JSONValue]
    private let textLimit: Int
    private var unread: Set<DataKey>

    /// Begins to read an object.
    ///
    /// - Parameter textLimit: how many bytes a text may have.
    /// - Throws: the problem where it is no object.
    public init(
        _ json: JSONValue, at path: String, textLimit: Int = ToolLimits.standard.labelBytes
    ) throws(DeclarationProblem) {
        guard case .object(let members) = json else { throw DeclarationProblem(path, "expected an object") }
        self.path = path
        self.textLimit = textLimit
        self.members = Dictionary(members.map { (DataKey($0.key), $0.value) }) { first, _ in first }
        unread = Set(self.members.keys)
    }

    /// The places of the members that nobody has asked for, sorted.
    public var unknownMembers: [String] {
        unread.sorted().map { place(of: $0.text) }
    }

    /// The place of a member.
    public func place(of key: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }

    /// A problem with a member.
    public func problem(
        _ key: String, _ reason: String, code: SentinelError.Code = .invalidArgs
    ) -> DeclarationProblem {
        DeclarationProblem(place(of: key), reason, code: code)
    }

    /// A member as it stands there; nil where it is missing.
    public mutating func value(_ key: String) -> JSONValue? {
        unread.remove(DataKey(key))
        return members[DataKey(key)]
    }

    /// A name; it must be there.
    public mutating func name(_ key: String) throws(DeclarationProblem) -> Name {
        let text = try text(key)
        do throws(SentinelError) {
            return try Name(text, as: key)
        } catch {
            throw problem(key, error.message)
        }
    }

    /// A text of one line; it must be there.
    public mutating func text(_ key: String) throws(DeclarationProblem) -> String {
        guard let text = try optionalText(key) else { throw problem(key, "it is missing") }
        return text
    }

    /// A text; nil where it is missing.
    ///
    /// - Parameter hasLines: whether it may have several lines.
    public mutating func optionalText(
        _ key: String, hasLines: Bool = false
    ) throws(DeclarationProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw problem(key, "expected text") }
        guard text.utf8.count <= textLimit else {
            throw problem(key, "the text is longer than \(textLimit) bytes", code: .limitsExceeded)
        }
        for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
            guard hasLines, scalar == "\n" || scalar == "\t" || scalar == "\r" else {
                throw problem(key, "control characters are not allowed")
            }
        }
        return text
    }

    /// A truth value; false where it is missing.
    public mutating func flag(_ key: String) throws(DeclarationProblem) -> Bool {
        guard let value = value(key) else { return false }
        guard case .bool(let flag) = value else { throw problem(key, "expected true or false") }
        return flag
    }

    /// A whole number from 0 to that of 32 bits; nil where it is missing.
    public mutating func optionalCount(_ key: String) throws(DeclarationProblem) -> Int? {
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value, let count = UInt32(exactly: number) else {
            throw problem(key, "expected a whole number from 0 to \(UInt32.max)")
        }
        return Int(count)
    }

    /// A value of an item; nil where it is missing.
    public mutating func optionalScalar(_ key: String) throws(DeclarationProblem) -> PreferenceValue? {
        guard let json = value(key) else { return nil }
        guard let scalar = PreferenceValue(json: json), !scalar.holdsNUL else {
            throw problem(key, "expected \(PreferenceValue.expectation)")
        }
        return scalar
    }

    /// The elements of an array with their places; none where it is missing.
    ///
    /// - Parameter limit: how many there may be.
    public mutating func elements(
        _ key: String, limit: Int
    ) throws(DeclarationProblem) -> [(json: JSONValue, path: String)] {
        guard let value = value(key) else { return [] }
        guard case .array(let elements) = value else { throw problem(key, "expected an array") }
        guard elements.count <= limit else {
            throw problem(
                key, "\(elements.count) elements are too many: at most \(limit) are allowed",
                code: .limitsExceeded)
        }
        let place = place(of: key)
        return elements.enumerated().map { ($0.element, "\(place)[\($0.offset)]") }
    }
}

extension PreferenceValue {
    /// Whether it is a text that cannot travel over the bus.
    fileprivate var holdsNUL: Bool {
        if case .text(let text) = self { text.utf8.contains(0) } else { false }
    }
}
