// SPDX-License-Identifier: MIT

/// What the value of an item or of an action's parameter may be: its type, and the bounds or choices that apply to it.
///
/// What a preference of the same kind could hold, no more and no less: values are checked in one place.
public struct ValueRule: Equatable, Sendable {
    private static let key = Name(unchecked: "value")

    /// A preference that holds such values; its default is any that fits.
    private let declaration: PreferenceDeclaration

    /// A rule.
    ///
    /// - Throws: `invalidArgs` or `limitsExceeded` for what does not fit the kind or each other: a bound of another
    ///   type, a smallest value that is larger than the largest, a choice without choices, choices of several types or
    ///   twice the same.
    public init(
        _ kind: PreferenceKind, minimum: PreferenceValue? = nil, maximum: PreferenceValue? = nil,
        maximumLength: Int? = nil, choices: [PreferenceChoice] = []
    ) throws(SentinelError) {
        var attributes = PreferenceAttributes()
        attributes.minimum = minimum
        attributes.maximum = maximum
        attributes.maximumLength = maximumLength.map { UInt32(clamping: $0) }
        attributes.choices = choices.isEmpty && kind != .choice ? nil : choices
        let example: PreferenceValue =
            switch kind {
            case .toggle: .boolean(false)
            case .integer: Self.example(.integer(0), minimum, maximum)
            case .double: Self.example(.double(0), minimum, maximum)
            case .text: .text("")
            case .choice: choices.first?.value ?? .text("")
            }
        do throws(SentinelError) {
            declaration = try PreferenceDeclaration(
                key: Self.key, name: "", kind: kind, defaultValue: example, attributes: attributes)
        } catch {
            throw SentinelError(error.code, Self.withoutSubject(error.message), underlying: error)
        }
    }

    /// What kind of value it is.
    public var kind: PreferenceKind { declaration.kind }
    /// The smallest value; nil where nothing bounds it.
    public var minimum: PreferenceValue? { declaration.attributes.minimum }
    /// The largest value; nil where nothing bounds it.
    public var maximum: PreferenceValue? { declaration.attributes.maximum }
    /// The largest length of a text in Unicode code points; nil where nothing bounds it.
    public var maximumLength: UInt32? { declaration.attributes.maximumLength }
    /// The values to choose from, in order.
    public var choices: [PreferenceChoice] { declaration.attributes.choices ?? [] }
    /// What fits, for people: the type and the range.
    public var wanted: String { declaration.expectation }

    /// The value in the type that it is kept and given out in.
    ///
    /// - Parameter value: nil for something that is no value at all.
    /// - Throws: `invalidValue` with all that is wrong and what is wanted, `limitsExceeded` for too long a text. It does
    ///   not repeat the value.
    public func canonical(_ value: PreferenceValue?) throws(SentinelError) -> PreferenceValue {
        do throws(SentinelError) {
            return try declaration.validated(value)
        } catch {
            throw SentinelError(error.code, Self.withoutSubject(error.message), underlying: error)
        }
    }

    /// Zero, or the bound that is nearest to it.
    private static func example(
        _ zero: PreferenceValue, _ minimum: PreferenceValue?, _ maximum: PreferenceValue?
    ) -> PreferenceValue {
        if let minimum = minimum?.converted(toTypeOf: zero), zero.isLess(than: minimum) { return minimum }
        if let maximum = maximum?.converted(toTypeOf: zero), maximum.isLess(than: zero) { return maximum }
        return zero
    }

    /// A message about the preference that stands for the rule, without naming it.
    private static func withoutSubject(_ message: String) -> String {
        let subject = "preference \(key): "
        return message.utf8.starts(with: subject.utf8) ? String(message.dropFirst(subject.count)) : message
    }
}
