// SPDX-License-Identifier: MIT

extension ApplicationMetadata {
    /// Name for people: of the desktop entry, of the AppStream metadata, of the snap.
    public var name: SourcedText? {
        entryText(\.name) ?? appStreamText(\.name) ?? snapText(\.title)
    }

    /// Icon name of the icon theme, or absolute path of a picture.
    public var icon: SourcedText? {
        entryText(\.icon)
    }

    /// Version: of the snap that runs, else the newest release of the AppStream metadata, which is that of what is
    /// installed as far as the package keeps the two together.
    public var version: SourcedText? {
        snapText(\.version) ?? appStreamText(\.latestRelease?.version)
    }

    /// Build: commit of the Flatpak application, or revision of the snap.
    public var build: SourcedText? {
        if case .success(.flatpak(let facts)) = sandbox {
            return SourcedText(facts.applicationCommit, .flatpakInfo)
        }
        return snapText(\.revision, .environment(variable: "SNAP_REVISION"))
    }

    /// All facts, sorted by their keys. What is unknown is left out; an empty list is not a fact.
    public var facts: [ApplicationFact] {
        var list = FactList()
        if case .success(let entry) = desktopEntry {
            list.add(entry)
        }
        if case .success(let metadata) = appStream {
            list.add(metadata)
        }
        if case .success(let facts) = sandbox {
            list.add(facts)
        }
        list.source = .translations
        list.add("localizations", localizations.map(\.description))
        if let locale, let variable = locale.variable {
            list.source = .environment(variable: variable)
            list.add("locale", locale.name)
        }
        return list.facts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private func entryText(_ field: (DesktopEntry) -> String?) -> SourcedText? {
        guard case .success(let entry) = desktopEntry else { return nil }
        return SourcedText(field(entry), .desktopEntry(path: entry.path))
    }

    private func appStreamText(_ field: (AppStreamMetadata) -> String?) -> SourcedText? {
        guard case .success(let metadata) = appStream else { return nil }
        return SourcedText(field(metadata), .appStream(path: metadata.path))
    }

    private func snapText(_ field: (SnapFacts) -> String?, _ source: FactSource? = nil) -> SourcedText? {
        guard case .success(.snap(let facts)) = sandbox else { return nil }
        return SourcedText(field(facts), source ?? facts.path.map { .snapMetadata(path: $0) } ?? .sandbox)
    }
}
