// SPDX-License-Identifier: MIT

/// A declaration that is not known to be sound.
struct PreferenceDraft {
    let key: Name
    let name: String
    let kind: PreferenceKind?
    var defaultValue: PreferenceValue
    var attributes: PreferenceAttributes
    let limits: PreferenceLimits

    private var problems: [String] = []
    private var excesses: [String] = []

    init(
        key: Name, name: String, kind: PreferenceKind?, defaultValue: PreferenceValue,
        attributes: PreferenceAttributes, limits: PreferenceLimits
    ) {
        self.key = key
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.attributes = attributes
        self.limits = limits
    }

    /// The kind that it has.
    var effectiveKind: PreferenceKind {
        attributes.choices == nil ? PreferenceKind(of: defaultValue) : .choice
    }

    /// Brings numbers to the type of the default, and looks for all that is wrong.
    ///
    /// - Throws: `invalidArgs`, `limitsExceeded` where nothing is wrong but sizes.
    mutating func check() throws(SentinelError) {
        if kind == .double, let number = defaultValue.converted(toTypeOf: .double(0)) {
            defaultValue = number
        }
        checkChoices()
        if let kind, kind != effectiveKind {
            problems.append("the kind \(kind.rawValue) does not fit the default, which is \(defaultValue.typeName)")
        }
        checkBounds()
        checkLengths()
        checkPattern()
        checkTexts()
        let found = problems + excesses
        guard found.isEmpty else {
            throw SentinelError(
                problems.isEmpty ? .limitsExceeded : .invalidArgs,
                "preference \(key): \(found.joined(separator: "; "))")
        }
    }

    private mutating func checkChoices() {
        guard var choices = attributes.choices else { return }
        guard choices.count <= limits.choices else {
            excesses.append("it has \(choices.count) choices, \(limits.choices) are allowed")
            return
        }
        guard let first = choices.first?.value else {
            problems.append("it has no choice; give one at least")
            return
        }
        // Where one is a double, whole numbers among them are doubles too.
        let type = choices.lazy.map(\.value).first { $0.hasType(of: .double(0)) } ?? first
        for index in choices.indices {
            guard let value = choices[index].value.converted(toTypeOf: type) else {
                problems.append("the choices are of different types; one is \(type.typeName), another is not")
                return
            }
            choices[index] = PreferenceChoice(value, title: choices[index].title)
        }
        if Set(choices.map(\.value)).count < choices.count {
            problems.append("two choices have the same value")
        }
        for choice in choices {
            checkText(choice.title, "the title of a choice", limit: limits.titleBytes)
            if case .text(let text) = choice.value {
                checkText(text, "the value of a choice", limit: limits.titleBytes)
            }
        }
        attributes.choices = choices
        defaultValue = defaultValue.converted(toTypeOf: type) ?? defaultValue
    }

    private mutating func checkBounds() {
        let bounds = [("min", attributes.minimum), ("max", attributes.maximum)].filter { $0.1 != nil }
        guard !bounds.isEmpty else { return }
        guard effectiveKind.isNumber else {
            for (name, _) in bounds {
                problems.append("\(name) is for integers and doubles, not for the kind \(effectiveKind.rawValue)")
            }
            return
        }
        let expectation = defaultValue.typeName
        for (name, bound) in bounds where bound?.converted(toTypeOf: defaultValue) == nil {
            problems.append("\(name) is not \(expectation), as the default is")
        }
        attributes.minimum = attributes.minimum?.converted(toTypeOf: defaultValue)
        attributes.maximum = attributes.maximum?.converted(toTypeOf: defaultValue)
        if let minimum = attributes.minimum, let maximum = attributes.maximum, maximum.isLess(than: minimum) {
            problems.append("min (\(minimum.shown)) is more than max (\(maximum.shown))")
        }
    }

    private mutating func checkLengths() {
        guard attributes.minimumLength != nil || attributes.maximumLength != nil else { return }
        guard effectiveKind == .text else {
            problems.append("min_length and max_length are for text, not for the kind \(effectiveKind.rawValue)")
            return
        }
        if let least = attributes.minimumLength, let most = attributes.maximumLength, most < least {
            problems.append("min_length (\(least)) is more than max_length (\(most))")
        }
    }

    private mutating func checkPattern() {
        guard let pattern = attributes.pattern else { return }
        guard effectiveKind == .text else {
            problems.append("pattern is for text, not for the kind \(effectiveKind.rawValue)")
            return
        }
        guard pattern.utf8.count <= limits.patternBytes else {
            excesses.append("the pattern has \(pattern.utf8.count) bytes, \(limits.patternBytes) are allowed")
            return
        }
        guard limits.checksPatterns else { return }
        do throws(SentinelError) {
            _ = try PreferencePattern(pattern)
        } catch  where error.code == .limitsExceeded {
            excesses.append(error.message)
        } catch {
            problems.append(error.message)
        }
    }

    private mutating func checkTexts() {
        checkText(name, "the name", limit: limits.titleBytes)
        checkText(attributes.section ?? "", "the section", limit: limits.titleBytes)
        checkText(attributes.description ?? "", "the description", limit: limits.descriptionBytes)
    }

    private mutating func checkText(_ text: String, _ subject: String, limit: Int) {
        if text.utf8.contains(0) {
            problems.append("\(subject) holds a NUL character")
        }
        if text.utf8.count > limit {
            excesses.append("\(subject) has \(text.utf8.count) bytes, \(limit) are allowed")
        }
    }
}
