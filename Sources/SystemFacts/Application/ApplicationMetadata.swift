// SPDX-License-Identifier: MIT

public import SentinelModels

/// Everything that files and its process tell of an application, each fact with its source.
public struct ApplicationMetadata: Sendable {
    /// Id of the application.
    public let id: ApplicationID
    /// Its desktop entry, or why there is none.
    public let desktopEntry: Fact<DesktopEntry>
    /// Its AppStream metadata, or why there is none.
    public let appStream: Fact<AppStreamMetadata>
    /// What confines its process, or why that is unknown.
    public let sandbox: Fact<SandboxFacts>
    /// Locales of its texts: those of its desktop entry and those for which catalogues are installed, sorted.
    public let localizations: [LocaleName]
    /// Locale of its process for messages; nil where there is no process.
    public let locale: MessageLocale?

    /// Gathers what is known of an application.
    ///
    /// Reads some dozens of files on the calling thread; a search for the entry of an executable, which comes last, reads
    /// all entries. Nothing is kept, nothing fails as a whole. Callable on every queue.
    /// - Parameters:
    ///   - process: a running process of it; nil where none runs.
    ///   - securityLabel: what the bus calls the process's `LinuxSecurityLabel`.
    public static func gather(
        _ id: ApplicationID, process: ObservedProcess?, securityLabel: String? = nil, in places: ApplicationPlaces
    ) -> ApplicationMetadata {
        let sandbox: Fact<SandboxFacts>
        if let process {
            sandbox = Result { () throws(FactError) in
                try SandboxFacts.facts(
                    of: process, securityLabel: securityLabel, snapDirectories: places.snapDirectories)
            }
        } else {
            sandbox = .failure(FactError(.absent, "no process of the application runs"))
        }
        return ApplicationMetadata(id, process: process, sandbox: sandbox, in: places)
    }

    /// Gathers what is known beside the sandbox.
    init(
        _ id: ApplicationID, process: ObservedProcess?, sandbox: Fact<SandboxFacts>,
        in places: ApplicationPlaces
    ) {
        self.id = id
        self.sandbox = sandbox
        let entry = Result { () throws(FactError) in
            try Self.desktopEntry(of: id, process: process, sandbox: sandbox, in: places)
        }
        let appStream = Result { () throws(FactError) in
            try AppStreamMetadata.find(id, in: places.dataDirectories, locales: places.locales)
        }
        desktopEntry = entry
        self.appStream = appStream
        locale = process.map { MessageLocale(environment: $0.environment) }
        localizations = Self.localizations(of: id, process: process, entry: entry, appStream: appStream, in: places)
    }

    /// The entry of the id, else that from which the process was started, else that of the sandbox's application, else the
    /// one whose command the executable is.
    ///
    /// A hidden entry ends the search: the user wants none. What is in a sandbox could name any entry and pass for another
    /// application, and its executable is of another tree: of a process of Flatpak its environment and executable tell
    /// nothing here, and one of a snap can only name an entry of that snap.
    private static func desktopEntry(
        of id: ApplicationID, process: ObservedProcess?, sandbox: Fact<SandboxFacts>,
        in places: ApplicationPlaces
    ) throws(FactError) -> DesktopEntry {
        let lookup = DesktopEntryLookup(
            directories: places.dataDirectories, locales: places.locales, searchPath: places.searchPath,
            snapDirectories: places.snapDirectories)
        let first: FactError
        do throws(FactError) {
            return try lookup.entry(id.text)
        } catch {
            guard error.code != .hidden else { throw error }
            first = error
        }
        guard let process, case .success(let sandbox) = sandbox else { throw first }
        for way in ways(of: process, in: sandbox) {
            do throws(FactError) {
                return try way.entry(in: lookup)
            } catch {
                guard error.code != .hidden, error.code != .ambiguous else { throw error }
                // The next way is taken; if none leads anywhere, the missing entry of the id is what is said.
            }
        }
        throw first
    }

    /// A way from a process to its entry.
    private enum Way {
        case id(String)
        case launch(ObservedProcess)
        case snapLaunch(name: String, ObservedProcess)
        case executable(String)

        func entry(in lookup: DesktopEntryLookup) throws(FactError) -> DesktopEntry {
            switch self {
            case .id(let id): try lookup.entry(id)
            case .launch(let process): try lookup.entry(launching: process)
            case .snapLaunch(let name, let process): try lookup.entry(ofSnap: name, launching: process)
            case .executable(let path): try lookup.entry(forExecutable: path)
            }
        }
    }

    /// The ways from a process to its entry, the surest first.
    private static func ways(of process: ObservedProcess, in sandbox: SandboxFacts) -> [Way] {
        switch sandbox {
        case .none: [.launch(process)] + (process.executable.map { [.executable($0)] } ?? [])
        case .flatpak(let facts): [.id(facts.application)]
        case .snap(let facts): [.snapLaunch(name: facts.name, process), .id("\(facts.name)_\(facts.name)")]
        case .unidentified: []
        }
    }

    private static func localizations(
        of id: ApplicationID, process: ObservedProcess?, entry: Fact<DesktopEntry>,
        appStream: Fact<AppStreamMetadata>, in places: ApplicationPlaces
    ) -> [LocaleName] {
        var locales: Set<LocaleName> = []
        var domains = [PathName.lastElement(of: id.text)]
        if let executable = process?.executable, !Interpreter.isOne(executable) {
            domains.append(PathName.last(of: executable))
        }
        if case .success(let entry) = entry {
            locales.formUnion(entry.locales)
            domains += entry.gettextDomain.map { [$0] } ?? []
        }
        if case .success(let metadata) = appStream {
            domains += metadata.gettextDomains.prefix(8)
        }
        locales.formUnion(Localizations(directories: places.dataDirectories).locales(ofDomains: domains))
        return locales.sorted()
    }
}
