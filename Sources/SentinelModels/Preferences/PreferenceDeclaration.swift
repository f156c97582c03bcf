// SPDX-License-Identifier: MIT

/// A preference as it was declared: what it is called, what it can hold and what it holds unless something is set.
public struct PreferenceDeclaration: Sendable {
    /// Identifies it within its application.
    public let key: Name
    /// Name for people.
    public let name: String
    /// What it holds.
    public let kind: PreferenceKind
    /// What it holds while nothing is set.
    public let defaultValue: PreferenceValue
    /// The rest; numbers are of the default's type.
    public let attributes: PreferenceAttributes

    /// Declares a preference.
    ///
    /// - Parameters:
    ///   - kind: the kind where it is said; else it follows from the default and the choices. It makes an integer
    ///     default that of a double.
    ///   - limits: how long texts may be.
    /// - Throws: `invalidArgs` or `limitsExceeded` with all that is wrong, the most important first.
    public init(
        key: Name, name: String, kind: PreferenceKind? = nil, defaultValue: PreferenceValue,
        attributes: PreferenceAttributes = PreferenceAttributes(), limits: PreferenceLimits = .standard
    ) throws(SentinelError) {
        var draft = PreferenceDraft(
            key: key, name: name, kind: kind, defaultValue: defaultValue, attributes: attributes, limits: limits)
        try draft.check()
        self.key = key
        self.name = name
        self.kind = draft.effectiveKind
        self.defaultValue = draft.defaultValue
        self.attributes = draft.attributes
        if let problem = problems(with: draft.defaultValue, limits: limits).first {
            throw SentinelError(
                problem.kind == .form ? .limitsExceeded : .invalidArgs,
                "preference \(key): the default does not fit: \(problem.message)")
        }
    }

    /// Whether it is marked so.
    public func isMarked(_ mark: PreferenceAttributes.Marks) -> Bool {
        attributes.marks.contains(mark)
    }
}

extension PreferenceDeclaration: Equatable {
    /// Whether two declarations say the same in every respect; texts by their bytes.
    public static func == (left: PreferenceDeclaration, right: PreferenceDeclaration) -> Bool {
        left.json == right.json
    }
}
