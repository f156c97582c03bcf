// SPDX-License-Identifier: MIT

/// The locale for messages that an environment asks for (setlocale(3), "Locale Names" and `LANGUAGE` of gettext).
public struct MessageLocale: Hashable, Sendable {
    /// The locale as the environment names it, such as `de_DE.UTF-8`; `C` where it names none.
    public let name: String

    /// The variable that names it: the first of `LC_ALL`, `LC_MESSAGES`, `LANG` that is not empty; nil where none is.
    public let variable: String?

    /// Locales in which texts are wanted, the best first: those of `LANGUAGE`, then the locale itself. Empty for `C`,
    /// under which gettext does not look at `LANGUAGE`.
    public let preferred: [LocaleName]

    /// The locale of an environment. A value that is no locale name counts as unset, as it does for setlocale(3).
    public init(environment: [String: String]) {
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let name = environment[variable], !name.isEmpty else { continue }
            guard Self.isName(name) else { break }
            let own = LocaleName(name)
            self.name = name
            self.variable = variable
            preferred = own.map { Self.languages(in: environment) + [$0] } ?? []
            return
        }
        name = "C"
        variable = nil
        preferred = []
    }

    private static func languages(in environment: [String: String]) -> [LocaleName] {
        guard let list = environment["LANGUAGE"], list.utf8.count <= 1024 else { return [] }
        return list.utf8.split(separator: UInt8(ascii: ":")).compactMap { name in
            LocaleName(String(decoding: name, as: UTF8.self))
        }
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 128 && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "_.@-".utf8.contains($0) }
    }
}
