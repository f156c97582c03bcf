// SPDX-License-Identifier: MIT

/// Collects facts of one source after the other.
struct FactList {
    private(set) var facts: [ApplicationFact] = []
    var source = FactSource.sandbox

    mutating func add(_ key: String, _ text: String?) {
        if let text, !text.isEmpty {
            facts.append(ApplicationFact(key: key, value: .text(text), source: source))
        }
    }

    mutating func add(_ key: String, _ texts: [String]) {
        if !texts.isEmpty {
            facts.append(ApplicationFact(key: key, value: .list(texts), source: source))
        }
    }

    mutating func add(_ key: String, _ flag: Bool) {
        facts.append(ApplicationFact(key: key, value: .flag(flag), source: source))
    }

    mutating func add(_ entry: DesktopEntry) {
        source = .desktopEntry(path: entry.path)
        add("desktop_entry.id", entry.id)
        add("desktop_entry.name", entry.name)
        add("desktop_entry.generic_name", entry.genericName)
        add("desktop_entry.comment", entry.comment)
        add("desktop_entry.icon", entry.icon)
        add("desktop_entry.exec", entry.exec)
        add("desktop_entry.try_exec", entry.tryExec)
        add("desktop_entry.categories", entry.categories)
        add("desktop_entry.keywords", entry.keywords)
        add("desktop_entry.mime_types", entry.mimeTypes)
        add("desktop_entry.startup_wm_class", entry.startupWMClass)
        add("desktop_entry.dbus_activatable", entry.isDBusActivatable)
        add("desktop_entry.no_display", entry.isNoDisplay)
        add("desktop_entry.terminal", entry.needsTerminal)
        add("desktop_entry.gettext_domain", entry.gettextDomain)
        add("desktop_entry.locales", entry.locales.map(\.description))
        add("desktop_entry.problems", entry.problems.map(\.description))
    }

    mutating func add(_ metadata: AppStreamMetadata) {
        source = .appStream(path: metadata.path)
        add("appstream.id", metadata.id)
        add("appstream.type", metadata.type)
        add("appstream.name", metadata.name)
        add("appstream.summary", metadata.summary)
        add("appstream.developer", metadata.developer)
        add("appstream.project_license", metadata.projectLicense)
        add("appstream.metadata_license", metadata.metadataLicense)
        add("appstream.release_version", metadata.latestRelease?.version)
        add("appstream.release_date", metadata.latestRelease?.date)
        add("appstream.homepage", metadata.addresses["homepage"])
        add("appstream.bugtracker", metadata.addresses["bugtracker"])
        add("appstream.content_rating", metadata.contentRating)
        add(
            "appstream.languages",
            metadata.languages.map { language in
                language.percentage.map { "\(language.locale) \($0) %" } ?? language.locale.description
            })
    }

    mutating func add(_ facts: SandboxFacts) {
        source = .sandbox
        switch facts {
        case .none:
            add("sandbox", "none")
        case .unidentified:
            add("sandbox", "unidentified")
        case .flatpak(let facts):
            add("sandbox", "flatpak")
            add(facts)
        case .snap(let facts):
            add("sandbox", "snap")
            add(facts)
        }
    }

    private mutating func add(_ facts: FlatpakFacts) {
        source = .flatpakInfo
        add("flatpak.application", facts.application)
        add("flatpak.runtime", facts.runtime)
        add("flatpak.branch", facts.branch)
        add("flatpak.architecture", facts.architecture)
        add("flatpak.application_commit", facts.applicationCommit)
        add("flatpak.runtime_commit", facts.runtimeCommit)
        add("flatpak.instance", facts.instanceID)
        add("flatpak.version", facts.flatpakVersion)
        for permission in facts.permissions {
            add("flatpak.permissions.\(permission.name)", permission.values)
        }
    }

    private mutating func add(_ facts: SnapFacts) {
        add("snap.name", facts.name)
        if let revision = facts.revision {
            source = .environment(variable: "SNAP_REVISION")
            add("snap.revision", revision)
        }
        source = facts.path.map { .snapMetadata(path: $0) } ?? .environment(variable: "SNAP_VERSION")
        add("snap.version", facts.version)
        add("snap.title", facts.title)
        add("snap.summary", facts.summary)
        add("snap.confinement", facts.confinement)
    }
}
