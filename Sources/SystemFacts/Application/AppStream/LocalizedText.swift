// SPDX-License-Identifier: MIT

/// A text with its translations.
struct LocalizedText {
    private var untranslated: String?
    private var translations: [LocaleName: String] = [:]

    /// Adds a text; one that is there already stays.
    /// - Parameter languageTag: its language (`xml:lang`); nil for the language in which the file is written.
    mutating func add(_ text: String, languageTag: String?) {
        guard let languageTag else {
            untranslated = untranslated ?? text
            return
        }
        if let name = LocaleName(languageTag: languageTag) {
            translations[name] = translations[name] ?? text
        }
    }

    /// The text in the best of the locales.
    func text(for locales: [LocaleName]) -> String? {
        for name in locales.lazy.flatMap(\.fallbacks) {
            if let text = translations[name] {
                return text
            }
        }
        return untranslated
    }
}
