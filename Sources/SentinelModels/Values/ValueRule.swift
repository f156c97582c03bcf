// SPDX-License-Identifier: MIT

/// What a value may be: its type, and the bounds or choices that apply to it. One that is missing bounds nothing.
public struct ValueRule: Hashable, Sendable {
    /// What kind of value it is.
    public enum Kind: String, Sendable {
        /// True or false.
        case toggle
        /// A whole number.
        case integer
        /// A number with a fraction.
        case double
        /// Text.
        case text
        /// One of several values.
        case choice
    }

    /// One of the values to choose from.
    public struct Choice: Hashable, Sendable {
        /// The value itself.
        public let value: ScalarValue
        /// What it is called; two values may be called the same.
        public let title: String

        /// A value to choose.
        public init(value: ScalarValue, title: String) {
            self.value = value
            self.title = title
        }
    }

    /// What kind of value it is.
    public let kind: Kind
    /// The smallest and the largest value, of the kind's type.
    public private(set) var minimum: ScalarValue?
    public private(set) var maximum: ScalarValue?
    /// The largest length of a text in Unicode code points.
    public let maximumLength: Int?
    /// The values to choose from, in order; all of one type and different.
    public let choices: [Choice]

    /// A rule.
    ///
    /// - Throws: `invalidArgs` for what does not fit the kind or each other: a bound of another type, a smallest value
    ///   that is larger than the largest, a choice without choices, choices of several types or twice the same.
    public init(
        _ kind: Kind, minimum: ScalarValue? = nil, maximum: ScalarValue? = nil, maximumLength: Int? = nil,
        choices: [Choice] = []
    ) throws(SentinelError) {
        self.kind = kind
        self.maximumLength = maximumLength
        self.choices = choices
        guard minimum == nil && maximum == nil || kind == .integer || kind == .double else {
            throw Self.refusal("min and max are for integers and doubles")
        }
        guard maximumLength == nil || kind == .text else { throw Self.refusal("max_length is for texts") }
        guard choices.isEmpty || kind == .choice else { throw Self.refusal("choices are for the kind choice") }
        self.minimum = try bound(minimum, "min")
        self.maximum = try bound(maximum, "max")
        if let least = self.minimum, let greatest = self.maximum, Self.isLess(greatest, least) {
            throw Self.refusal("min is larger than max")
        }
        if kind == .choice {
            try checkChoices()
        }
    }

    /// The value in the type that it is kept and given out in.
    ///
    /// - Throws: `invalidValue` that names the type and the range wanted where it does not fit. It does not repeat the
    ///   value.
    public func canonical(_ value: ScalarValue) throws(SentinelError) -> ScalarValue {
        switch (kind, value) {
        case (.toggle, .boolean): return value
        case (.integer, .integer), (.double, .double): break
        case (.double, .integer(let number)):
            guard let double = Double(exactly: number) else { throw refusal }
            return try canonical(.double(double))
        case (.text, .text(let text)):
            guard text.unicodeScalars.count <= maximumLength ?? .max else { throw refusal }
            return value
        case (.choice, _):
            if choices.contains(where: { $0.value == value }) { return value }
            // A whole number is taken where the choices are doubles.
            if case .integer(let number) = value, let double = Double(exactly: number),
                choices.contains(where: { $0.value == .double(double) })
            {
                return .double(double)
            }
            throw refusal
        default: throw refusal
        }
        if let minimum, Self.isLess(value, minimum) { throw refusal }
        if let maximum, Self.isLess(maximum, value) { throw refusal }
        return value
    }

    /// What fits, for people: the type and the range.
    public var wanted: String {
        switch kind {
        case .toggle: "true or false (b)"
        case .integer: "an integer (x)\(range)"
        case .double: "a finite number (d)\(range)"
        case .text: "text (s)" + (maximumLength.map { " of at most \($0) characters" } ?? "")
        case .choice: "one of the \(choices.count) choices, \(choices.first?.value.typeName ?? "")"
        }
    }

    private var range: String {
        let least = minimum.map { " from \($0.json.serialized())" } ?? ""
        return least + (maximum.map { " to \($0.json.serialized())" } ?? "")
    }

    private var refusal: SentinelError {
        SentinelError(.invalidValue, "expected \(wanted)")
    }

    private static func refusal(_ what: String) -> SentinelError {
        SentinelError(.invalidArgs, what)
    }

    private func bound(_ value: ScalarValue?, _ name: String) throws(SentinelError) -> ScalarValue? {
        switch (kind, value) {
        case (_, nil), (.integer, .integer), (.double, .double): return value
        case (.double, .integer(let number)):
            if let double = Double(exactly: number) { return .double(double) }
        default: break
        }
        throw Self.refusal(
            "\(name) is not of the value's type, \(kind == .integer ? "an integer (x)" : "a number (d)")")
    }

    private func checkChoices() throws(SentinelError) {
        guard let first = choices.first else { throw Self.refusal("the kind choice needs choices") }
        guard choices.allSatisfy({ $0.value.typeName == first.value.typeName }) else {
            throw Self.refusal("the choices' values are of several types")
        }
        guard Set(choices.map(\.value)).count == choices.count else {
            throw Self.refusal("two choices have the same value")
        }
    }

    /// Whether one number is less than another of the same type.
    private static func isLess(_ left: ScalarValue, _ right: ScalarValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        default: false
        }
    }
}
