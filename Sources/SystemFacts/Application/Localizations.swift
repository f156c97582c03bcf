// SPDX-License-Identifier: MIT

/// Finds the catalogues of gettext that are installed for an application (`LOCALEDIR/LOCALE/LC_MESSAGES/DOMAIN.mo`,
/// "Locating Message Catalog Files" of its manual).
///
/// Reads directories on the calling thread; keeps nothing. Callable on every queue.
public struct Localizations: Sendable {
    private let roots: [String]

    /// How many locales are looked at in a directory.
    private static let maximumLocaleCount = 2000

    /// The catalogues below `locale` in data directories.
    public init(directories: DataDirectories) {
        roots = directories.paths.map { "\($0)/locale" }
    }

    /// Locales for which there is a catalogue of one of some domains, sorted. A look at each locale that is installed for
    /// any application: a few milliseconds.
    public func locales(ofDomains domains: [String]) -> [LocaleName] {
        let files = domains.filter(Self.isDomain).map { "\($0).mo" }
        guard !files.isEmpty else { return [] }
        var found: Set<LocaleName> = []
        for root in roots {
            for name in DirectoryListing.names(in: root, limit: Self.maximumLocaleCount) {
                guard let locale = LocaleName(name), !locale.isPrivate, !found.contains(locale) else { continue }
                if files.contains(where: { SmallFile.isRegular("\(root)/\(name)/LC_MESSAGES/\($0)") }) {
                    found.insert(locale)
                }
            }
        }
        return found.sorted()
    }

    /// Whether a text may be the name of a domain, and thus one element of a path.
    private static func isDomain(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F }
    }
}
