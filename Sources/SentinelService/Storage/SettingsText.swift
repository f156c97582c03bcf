// SPDX-License-Identifier: MIT

import SentinelModels

/// The text of a file of settings, of which one value is read or replaced while all else stays as it is.
enum SettingsText {
    case json(JSONText)
    case lines(LineText)

    /// Takes in a text.
    ///
    /// - Throws: `unavailable` for a text that is not of the format.
    init(_ text: [UInt8], _ format: ManifestStorage.FileFormat) throws(SentinelError) {
        switch format {
        case .json: self = .json(try JSONText(text))
        case .ini, .env: self = .lines(try LineText(text, format))
        }
    }

    /// The value of a key; nil where the text has none.
    ///
    /// - Throws: `unavailable` for a value of another type, or one that cannot be followed.
    func value(of key: String, like example: PreferenceValue) throws(SentinelError) -> PreferenceValue? {
        switch self {
        case .json(let document):
            guard let span = document.span(of: key) else { return nil }
            guard let value = document.scalar(at: span)?.converted(toTypeOf: example) else {
                throw Self.mismatch(key, example)
            }
            return value
        case .lines(let text):
            guard let found = try text.find(key) else { return nil }
            return try Self.value(found.value, key, like: example)
        }
    }

    /// The value of a key; nil where the text has none.
    ///
    /// - Parameters:
    ///   - key: in JSON the keys from the outermost object inward, in an ini file section and key, with `/` between.
    ///   - example: a value of the type wanted.
    /// - Throws: `unavailable` for a value of another type, or a text that is not of the format.
    static func value(
        of key: String, like example: PreferenceValue, in text: [UInt8], _ format: ManifestStorage.FileFormat
    ) throws(SentinelError) -> PreferenceValue? {
        try Self(text, format).value(of: key, like: example)
    }

    /// The text with another value of a key.
    ///
    /// - Throws: `unavailable` for a text that is not of the format, or that has no place for the key, `invalidValue`
    ///   for a value that the format cannot hold, or in the place of an object or an array.
    static func replacing(
        _ key: String, with value: PreferenceValue, in text: [UInt8], _ format: ManifestStorage.FileFormat
    ) throws(SentinelError) -> [UInt8] {
        switch format {
        case .json: try JSONText(text).replacing(key, with: value.json.serialized())
        case .ini, .env: try LineText(text, format).replacing(key, with: value)
        }
    }

    private static func value(
        _ text: String, _ key: String, like example: PreferenceValue
    ) throws(SentinelError) -> PreferenceValue {
        switch example {
        case .text: return .text(text)
        case .integer: if let number = Int64(text) { return .integer(number) }
        case .double: if let number = Double(text), number.isFinite { return .double(number) }
        case .boolean: if let word = TruthWord(text) { return .boolean(word.truth) }
        }
        throw mismatch(key, example)
    }

    private static func mismatch(_ key: String, _ example: PreferenceValue) -> SentinelError {
        SentinelError(.unavailable, "what the file has as \(key) is not \(example.typeName)")
    }
}

/// The ways in which files say true and false; what is written keeps to the way that is there.
struct TruthWord {
    private static let pairs = [("true", "false"), ("yes", "no"), ("on", "off"), ("1", "0")]

    let truth: Bool
    private let style: Int
    private let isCapitalized: Bool

    init?(_ text: String) {
        let lower = text.lowercased()
        guard let style = Self.pairs.firstIndex(where: { $0.0 == lower || $0.1 == lower }) else { return nil }
        self.style = style
        truth = Self.pairs[style].0 == lower
        isCapitalized = text.first?.isUppercase == true
    }

    /// A truth value in the same way.
    func word(for truth: Bool) -> String {
        let word = truth ? Self.pairs[style].0 : Self.pairs[style].1
        return isCapitalized ? word.prefix(1).uppercased() + word.dropFirst() : word
    }
}
