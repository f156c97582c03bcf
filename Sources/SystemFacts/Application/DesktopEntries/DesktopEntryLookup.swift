// SPDX-License-Identifier: MIT

/// Finds desktop entries of applications.
///
/// Reads files on the calling thread; keeps nothing. Callable on every queue.
public struct DesktopEntryLookup: Sendable {
    private let tree: DesktopEntryTree
    private let locales: [LocaleName]
    private let searchPath: [String]
    private let snapDirectories: [String]

    /// A lookup in some directories.
    /// - Parameters:
    ///   - locales: in which texts are wanted, the best first.
    ///   - searchPath: absolute paths of the directories in which commands without a path are looked for (`PATH`).
    ///   - snapDirectories: where snaps are mounted.
    public init(
        directories: DataDirectories, locales: [LocaleName], searchPath: [String],
        snapDirectories: [String] = SnapFacts.defaultDirectories
    ) {
        tree = DesktopEntryTree(directories)
        self.locales = locales
        self.searchPath = searchPath
        self.snapDirectories = snapDirectories
    }

    /// The entry of an id, without `.desktop`: the user's before the system's.
    ///
    /// A file that is damaged or cannot be read makes way for the next, as in GLib; one that is hidden does not.
    /// - Throws: `absent`, `hidden`, or what is wrong with the first file of that id if none is right.
    public func entry(_ id: String) throws(FactError) -> DesktopEntry {
        var first: FactError?
        for place in tree.places(of: id) {
            do throws(FactError) {
                return try entry(at: place)
            } catch {
                guard error.code != .hidden else { throw error }
                first = first ?? error
            }
        }
        throw first ?? FactError(.absent, "there is no desktop entry of that id")
    }

    /// The entry that a process was started from, as its environment tells.
    ///
    /// `GIO_LAUNCHED_DESKTOP_FILE` counts only where `GIO_LAUNCHED_DESKTOP_FILE_PID` is the process: children inherit
    /// both. `BAMF_DESKTOP_FILE_HINT` is inherited and has no such number: it counts where the entry's command is the
    /// process's executable, or the entry belongs to the snap that the executable is of. Only files below the
    /// directories `applications` are followed, since an environment is what its process makes it.
    /// - Throws: `absent` where there is no hint or it is another process's, `refused`, or what is wrong with the file.
    public func entry(launching process: ObservedProcess) throws(FactError) -> DesktopEntry {
        let environment = process.environment
        var failure = FactError(.absent, "the environment of the process names no desktop entry")
        if let path = environment["GIO_LAUNCHED_DESKTOP_FILE"] {
            if environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] == String(process.processID) {
                do throws(FactError) {
                    return try hintedEntry(path)
                } catch {
                    failure = error
                }
            } else {
                failure = FactError(.absent, "GIO_LAUNCHED_DESKTOP_FILE is that of another process")
            }
        }
        guard let path = environment["BAMF_DESKTOP_FILE_HINT"] else { throw failure }
        let entry = try hintedEntry(path)
        guard let executable = process.executable, isStarted(executable, by: entry) else {
            throw FactError(.absent, "BAMF_DESKTOP_FILE_HINT names an entry of another program")
        }
        return entry
    }

    /// The entry of a snap that a process of it was started from, as `BAMF_DESKTOP_FILE_HINT` tells.
    /// - Throws: `absent` where the hint is that of something else, `refused`, or what is wrong with the file.
    func entry(ofSnap name: String, launching process: ObservedProcess) throws(FactError) -> DesktopEntry {
        guard let path = process.environment["BAMF_DESKTOP_FILE_HINT"] else {
            throw FactError(.absent, "the environment of the process names no desktop entry")
        }
        let entry = try hintedEntry(path)
        guard entry.snapName == name else {
            throw FactError(.absent, "BAMF_DESKTOP_FILE_HINT names an entry that is not of the snap")
        }
        return entry
    }

    /// The entry whose command is an executable. Reads all entries: tens of milliseconds where there are hundreds.
    ///
    /// Where several fit, one that menus show goes before one that they do not, then one that is named as the
    /// executable. Interpreters and launchers belong to no one entry.
    /// - Parameter executable: absolute path, as `/proc/PID/exe` has it (proc(5)).
    /// - Throws: `absent`; `ambiguous` where several fit equally; `refused` for an interpreter.
    public func entry(forExecutable executable: String) throws(FactError) -> DesktopEntry {
        guard !Interpreter.isOne(executable) else {
            throw FactError(.refused, "the executable runs programs of others, which it does not tell apart")
        }
        guard let file = FileIdentity(of: Self.withoutMark(executable)) else {
            throw FactError(.absent, "the executable is not there any more")
        }
        var search = ExecutableSearch(for: file, identify: identity)
        var found: [DesktopEntry] = []
        for place in tree.allPlaces() {
            guard let bytes = search.candidate(at: place.path), let entry = entryOrNone(at: place, bytes),
                let program = ExecLine.program(in: entry.exec), search.isWanted(program)
            else { continue }
            found.append(entry)
        }
        return try Self.best(of: found, for: executable)
    }

    private func hintedEntry(_ path: String) throws(FactError) -> DesktopEntry {
        guard let place = tree.place(at: path) else {
            throw FactError(.refused, "the hint names a file that is not below a directory of applications")
        }
        return try entry(at: place)
    }

    private func entry(at place: DesktopEntryTree.Place) throws(FactError) -> DesktopEntry {
        try DesktopEntry(KeyFile(path: place.path), id: place.id, path: place.path, locales: locales)
    }

    /// The entry at a place; none where there is no right one, which is no fault of the executable looked for.
    private func entryOrNone(at place: DesktopEntryTree.Place, _ bytes: [UInt8]) -> DesktopEntry? {
        do throws(FactError) {
            return try DesktopEntry(KeyFile(bytes), id: place.id, path: place.path, locales: locales)
        } catch {
            return nil
        }
    }

    private func isStarted(_ executable: String, by entry: DesktopEntry) -> Bool {
        if let snap = entry.snapName {
            return SnapName.isExecutable(executable, of: snap, directories: snapDirectories)
        }
        guard let program = ExecLine.program(in: entry.exec), !Interpreter.isOne(executable),
            let identity = identity(ofProgram: program)
        else { return false }
        return identity == FileIdentity(of: Self.withoutMark(executable))
    }

    private func identity(ofProgram program: String) -> FileIdentity? {
        guard !program.utf8.contains(UInt8(ascii: "/")) else {
            return program.begins(with: "/") ? FileIdentity(of: program) : nil
        }
        for directory in searchPath {
            if let identity = FileIdentity(of: "\(directory)/\(program)"), identity.isRegular {
                return identity
            }
        }
        return nil
    }

    private static func best(of entries: [DesktopEntry], for executable: String) throws(FactError) -> DesktopEntry {
        let shown = entries.filter { !$0.isNoDisplay }
        let candidates = shown.isEmpty ? entries : shown
        let name = PathName.last(of: withoutMark(executable)).lowercased()
        let named = candidates.filter { $0.id.lowercased() == name || PathName.lastElement(of: $0.id) == name }
        if let only = candidates.count == 1 ? candidates.first : named.count == 1 ? named.first : nil {
            return only
        }
        throw candidates.isEmpty
            ? FactError(.absent, "no desktop entry has the executable as its command")
            : FactError(.ambiguous, "\(candidates.count) desktop entries have the executable as their command")
    }

    /// A path without the mark that the kernel puts behind that of a file that has been replaced.
    private static func withoutMark(_ executable: String) -> String {
        guard let path = DeletedMark.path(in: executable), FileIdentity(of: executable) == nil else {
            return executable
        }
        return path
    }
}
