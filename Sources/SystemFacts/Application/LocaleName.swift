// SPDX-License-Identifier: MIT

/// The name of a locale for messages, `lang_COUNTRY@MODIFIER` (Desktop Entry Specification, "Localized values for
/// keys"); an encoding is not part of it.
public struct LocaleName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Language, such as `de`.
    public let language: String
    /// Country, such as `BR`.
    public let country: String?
    /// Modifier, such as `latin` or `euro`.
    public let modifier: String?

    private init(language: String, country: String?, modifier: String?) {
        self.language = language
        self.country = country
        self.modifier = modifier
    }

    /// A name from `lang[_COUNTRY][.ENCODING][@MODIFIER]`; nil for what is none, for `C` and for `POSIX`.
    public init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var rest = text.utf8[...]
        func part(after separator: UInt8) -> String?? {
            guard let place = rest.firstIndex(of: separator) else { return .some(nil) }
            let part = rest[place...].dropFirst()
            rest = rest[..<place]
            return Self.word(part).map { .some($0) }
        }
        guard let modifier = part(after: UInt8(ascii: "@")), let _ = part(after: UInt8(ascii: ".")),
            let country = part(after: UInt8(ascii: "_")), let language = Self.word(rest), language != "C",
            language != "POSIX"
        else { return nil }
        self.init(language: language, country: country, modifier: modifier)
    }

    /// A name from a language tag such as `pt-BR` or `sr-Latn` (RFC 5646), as AppStream writes it; also takes the form
    /// with `_`, which older files have. Scripts become the modifiers that locales have for them.
    public init?(languageTag: String) {
        guard languageTag.utf8.count <= 64, !languageTag.utf8.contains(UInt8(ascii: "_")),
            !languageTag.utf8.contains(UInt8(ascii: "@"))
        else {
            self.init(languageTag)
            return
        }
        var subtags = languageTag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)[...]
        guard let first = subtags.popFirst(), let language = Self.word(first) else { return nil }
        var country: String?
        var modifier: String?
        for subtag in subtags {
            guard let text = Self.word(subtag) else { return nil }
            switch text.utf8.count {
            case 2, 3:
                country = country ?? text.uppercased()
            case 4:
                modifier = modifier ?? Self.modifiers[text.lowercased()] ?? text.lowercased()
            default:
                modifier = modifier ?? text.lowercased()
            }
        }
        self.init(language: language.lowercased(), country: country, modifier: modifier)
    }

    /// Whether it is none of people: `x-test`, with which KDE looks for texts that are not translated.
    var isPrivate: Bool { language.hasPrefix("x-") }

    /// The names under which a text for this locale may be found, the best first: as the specification has it
    /// `lang_COUNTRY@MODIFIER`, `lang_COUNTRY`, `lang@MODIFIER`, `lang`.
    public var fallbacks: [LocaleName] {
        var names: [LocaleName] = []
        if country != nil, modifier != nil {
            names.append(self)
        }
        if country != nil {
            names.append(LocaleName(language: language, country: country, modifier: nil))
        }
        if modifier != nil {
            names.append(LocaleName(language: language, country: nil, modifier: modifier))
        }
        return names + [LocaleName(language: language, country: nil, modifier: nil)]
    }

    /// `lang_COUNTRY@MODIFIER`.
    public var description: String {
        language + (country.map { "_\($0)" } ?? "") + (modifier.map { "@\($0)" } ?? "")
    }

    public static func < (left: LocaleName, right: LocaleName) -> Bool {
        left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }

    /// Four-letter scripts (ISO 15924) and the modifiers of glibc's locales.
    private static let modifiers = [
        "latn": "latin", "cyrl": "cyrillic", "deva": "devanagari", "arab": "arabic", "tfng": "tifinagh",
    ]

    /// ASCII letters, digits and `-`, at least one.
    private static func word(_ bytes: some Collection<UInt8>) -> String? {
        guard !bytes.isEmpty, bytes.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
