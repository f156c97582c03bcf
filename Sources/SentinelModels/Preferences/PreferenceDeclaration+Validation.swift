// SPDX-License-Identifier: MIT

extension PreferenceDeclaration {
    /// The value as this preference holds it: of its type, and one that it can have. The one place where values are
    /// validated, whatever way they come.
    ///
    /// - Parameter value: nil for something that is no value of any preference.
    /// - Throws: `invalidValue` with all that is wrong, the most important first, and what is expected.
    public func validated(
        _ value: PreferenceValue?, limits: PreferenceLimits = .standard
    ) throws(SentinelError) -> PreferenceValue {
        let converted = value.map { $0.converted(toTypeOf: defaultValue) ?? $0 }
        let problems = problems(with: converted, limits: limits)
        guard let first = problems.first, let converted else {
            if let converted { return converted }
            throw invalidity(of: problems)
        }
        if first.kind == .form, case .text(let text) = converted, text.utf8.count > limits.textBytes {
            throw SentinelError(.limitsExceeded, "preference \(key): \(first.message)")
        }
        throw invalidity(of: problems)
    }

    /// All that keeps a value from being one that this preference can have, the most important first; nothing if it is
    /// one.
    ///
    /// - Parameter value: a value of the preference's type; nil for something that is no value of any preference.
    public func problems(
        with value: PreferenceValue?, limits: PreferenceLimits = .standard
    ) -> [PreferenceProblem] {
        guard let value else {
            return [PreferenceProblem(kind: .type, message: "the value is not \(PreferenceValue.expectation)")]
        }
        guard value.hasType(of: defaultValue) else {
            return [PreferenceProblem(kind: .type, message: "the value is of another type")]
        }
        if case .double(let number) = value, !number.isFinite {
            return [PreferenceProblem(kind: .type, message: "the value is not a finite number")]
        }
        return
            (formProblems(value, limits) + choiceProblems(value) + rangeProblems(value) + textProblems(value, limits))
            .sorted { $0.kind < $1.kind }
    }

    /// What a value is expected to be, for people: type, range, length, choices.
    public var expectation: String {
        switch kind {
        case .toggle: "true or false"
        case .integer: "an integer" + range
        case .double: "a finite number" + range
        case .text: "text" + lengths + (attributes.pattern == nil ? "" : " that matches the declared pattern")
        case .choice: "one of its choices" + choices
        }
    }

    private func invalidity(of problems: [PreferenceProblem]) -> SentinelError {
        let texts = problems.map(\.message).joined(separator: "; ")
        return SentinelError(.invalidValue, "preference \(key): \(texts); expected \(expectation)")
    }

    // MARK: Problems

    private func formProblems(_ value: PreferenceValue, _ limits: PreferenceLimits) -> [PreferenceProblem] {
        guard case .text(let text) = value else { return [] }
        if text.utf8.count > limits.textBytes {
            return [
                PreferenceProblem(
                    kind: .form, message: "the text has \(text.utf8.count) bytes, \(limits.textBytes) are allowed")
            ]
        }
        guard text.utf8.contains(0) else { return [] }
        return [PreferenceProblem(kind: .form, message: "the text holds a NUL character")]
    }

    private func choiceProblems(_ value: PreferenceValue) -> [PreferenceProblem] {
        guard let choices = attributes.choices, !choices.contains(where: { $0.value == value }) else { return [] }
        return [PreferenceProblem(kind: .choice, message: "the value is none of the choices")]
    }

    private func rangeProblems(_ value: PreferenceValue) -> [PreferenceProblem] {
        if let minimum = attributes.minimum, value.isLess(than: minimum) {
            return [PreferenceProblem(kind: .minimum, message: "the value is less than \(minimum.shown)")]
        }
        if let maximum = attributes.maximum, maximum.isLess(than: value) {
            return [PreferenceProblem(kind: .maximum, message: "the value is more than \(maximum.shown)")]
        }
        return []
    }

    private func textProblems(_ value: PreferenceValue, _ limits: PreferenceLimits) -> [PreferenceProblem] {
        guard kind == .text, case .text(let text) = value, text.utf8.count <= limits.textBytes else { return [] }
        var problems: [PreferenceProblem] = []
        let length = text.unicodeScalars.count
        if let least = attributes.minimumLength, length < Int(least) {
            problems.append(PreferenceProblem(kind: .minimumLength, message: "the text is shorter than \(least)"))
        }
        if let most = attributes.maximumLength, length > Int(most) {
            problems.append(PreferenceProblem(kind: .maximumLength, message: "the text is longer than \(most)"))
        }
        if let pattern = attributes.pattern {
            if text.utf8.count > limits.matchedTextBytes {
                problems.append(
                    PreferenceProblem(
                        kind: .pattern,
                        message: "a text that is to match a pattern has at most \(limits.matchedTextBytes) bytes"))
            } else if limits.checksPatterns, !PreferencePattern(declared: pattern).matches(text) {
                problems.append(PreferenceProblem(kind: .pattern, message: "the text does not match the pattern"))
            }
        }
        return problems
    }

    // MARK: Expectations

    private var range: String {
        switch (attributes.minimum?.shown, attributes.maximum?.shown) {
        case (let minimum?, let maximum?): " from \(minimum) to \(maximum)"
        case (let minimum?, nil): " of at least \(minimum)"
        case (nil, let maximum?): " of at most \(maximum)"
        case (nil, nil): ""
        }
    }

    private var lengths: String {
        switch (attributes.minimumLength, attributes.maximumLength) {
        case (let least?, let most?): " of \(least) to \(most) characters"
        case (let least?, nil): " of at least \(least) characters"
        case (nil, let most?): " of at most \(most) characters"
        case (nil, nil): ""
        }
    }

    /// The choices by their values, as many as one can take in.
    private var choices: String {
        let all = attributes.choices ?? []
        let shown = all.prefix(10).map(\.value.shown).joined(separator: ", ")
        return ": \(shown)\(all.count > 10 ? ", and \(all.count - 10) more" : "")"
    }
}
