// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence
import SystemFacts

/// Declares what manifests say, and follows their changes.
///
/// An application's manifest is the first right one of the user's directory and the system's. One that is wrong is
/// reported and changes nothing. Confined to the loop's thread.
final class ManifestCatalog: @unchecked Sendable {
    /// A directory that has not been read after so long counts as one that cannot be.
    private static let patience = Duration.seconds(5)
    /// So many directories are read at a time.
    private static let readers = 4

    private let directories: [String]
    private let limits: Manifest.Limits
    private let registry: ApplicationRegistry
    private let declarations: ManifestDeclarations
    private let loop: EventLoop
    private let log: Log
    private let pool: ReadingPool
    private let findingsChanged: () -> Void
    private var watch: DirectoryWatch?
    /// What was last read of each directory.
    private var readings: [String: ManifestFiles] = [:]
    /// The directories that are being read, and whether each has to be once more.
    private var reads: [String: Bool] = [:]
    /// Those of them that have not been read in time.
    private var late: Set<String> = []
    private var deadline: LoopTimer?
    /// What was read of all directories.
    private var files = ManifestFiles()
    /// The manifests that are declared, by application.
    private var applied: [ApplicationID: ManifestFiles.File] = [:]
    /// Why manifests that are right could not be declared.
    private var refusals: [ApplicationID: String] = [:]
    private var hasRead = false

    /// The findings of the manifests, for people.
    private(set) var findings: [String] = []

    /// `findingsChanged` is called whenever ``findings`` have changed.
    init(
        _ directories: DataDirectories, limits: Manifest.Limits, registry: ApplicationRegistry,
        declarations: ManifestDeclarations, loop: EventLoop, log: Log,
        findingsChanged: @escaping () -> Void
    ) {
        self.directories = directories.paths.map { "\($0)/sentinel/apps" }
        self.limits = limits
        self.registry = registry
        self.declarations = declarations
        self.loop = loop
        self.log = log
        self.findingsChanged = findingsChanged
        pool = ReadingPool("org.sentinel.manifests", places: Self.readers, loop: loop)
    }

    /// Reads the manifests and watches for changes.
    func start() {
        declarations.problemsChanged = { [weak self] in self?.tellFindings() }
        do throws(DBusError) {
            watch = try DirectoryWatch("org.sentinel.manifest-watch", on: loop) { [weak self] _ in self?.read() }
            watch?.set(directories)
        } catch {
            log.warning("manifests are read once and not watched: \(error.message)")
        }
        read()
    }

    /// Ends the watch, and lets go of what is read.
    func stop() {
        watch?.cancel()
        deadline?.cancel()
        pool.stop()
    }

    /// Brings back what the manifest of an application says that has been forgotten.
    func restore(_ id: ApplicationID) {
        if let file = applied[id] {
            declare(file)
        }
    }

    /// Reads all directories, each by itself: one that does not answer holds up none that does.
    private func read() {
        for directory in directories {
            read(directory)
        }
        deadline = deadline ?? loop.schedule(after: Self.patience) { [weak self] in self?.giveUp() }
    }

    private func read(_ directory: String) {
        guard reads[directory] == nil else {
            reads[directory] = true
            return
        }
        reads[directory] = false
        pool.read { [limits, earlier = readings[directory] ?? ManifestFiles()] in
            ManifestFiles(in: [directory], limits: limits, since: earlier)
        } _: { [weak self] reading in
            guard let self else { return }
            readings[directory] = reading
            late.remove(directory)
            if reads.removeValue(forKey: directory) == true {
                read(directory)
            }
            takeReadings()
        }
    }

    private func giveUp() {
        for directory in reads.keys {
            late.insert(directory)
            readings[directory] = ManifestFiles(without: directory, since: readings[directory] ?? ManifestFiles())
        }
        takeReadings()
    }

    /// Takes in what was read, once that is all but of those that are late: a manifest can have been moved from one
    /// directory to another.
    private func takeReadings() {
        guard reads.keys.allSatisfy(late.contains) else { return }
        deadline?.cancel()
        deadline = nil
        take(ManifestFiles(directories.compactMap { readings[$0] }))
        let links = files.files.values.joined().filter(\.isLink).map(\.path)
        watch?.set(directories + links)
    }

    private func take(_ files: ManifestFiles) {
        self.files = files
        for (id, candidates) in files.files.sorted(by: { $0.key < $1.key }) {
            guard let file = candidates.first(where: { $0.manifest != nil }) else { continue }
            if isDoubtful(candidates, of: id, in: files) { continue }
            if let earlier = applied[id], earlier.path == file.path,
                file.problem != nil || earlier.identity == file.identity
            {
                continue
            }
            declare(file)
        }
        for id in applied.keys where files.files[id] == nil {
            withdraw(id)
        }
        hasRead = true
        // What manifests of earlier runs have declared goes with them, if they are known to be gone.
        for application in registry.others where files.isWhole && files.files[application.id] == nil {
            if declarations.hasAny(application) {
                declare(nil, of: application)
            }
        }
        tellFindings()
    }

    /// Declares again what the manifests say, after another database has come into use and was taken in.
    func databaseChanged() {
        // Before the first reading that is still to come.
        guard hasRead else { return }
        for file in applied.values {
            declare(file)
        }
        take(files)
    }

    /// Declares again what could not be stored, once the storage is well again.
    func storageRecovered() {
        guard hasRead else { return }
        for id in refusals.keys.sorted() {
            restore(id)
        }
        take(files)
    }

    /// Whether the manifest that an application had in an earlier run may still be there and only cannot be read: a
    /// weaker one in its place would take with it what people have set.
    private func isDoubtful(
        _ candidates: [ManifestFiles.File], of id: ApplicationID, in files: ManifestFiles
    ) -> Bool {
        guard applied[id] == nil, !files.isWhole || candidates.first?.manifest == nil else { return false }
        return registry.find(id).map(declarations.hasAny) ?? false
    }

    private func declare(_ file: ManifestFiles.File) {
        guard let manifest = file.manifest else { return }
        applied[file.application] = file
        refusals[file.application] = nil
        do throws(SentinelError) {
            let id = file.application
            guard
                let application = try registry.describe(
                    id, manifest.description, refused: { [weak self] in self?.refuse(id, $0) })
            else { return }
            declare(manifest, of: application)
        } catch {
            refusals[file.application] = error.message
        }
    }

    private func withdraw(_ id: ApplicationID) {
        applied[id] = nil
        refusals[id] = nil
        do throws(SentinelError) {
            if let application = try registry.describe(id, nil) {
                declare(nil, of: application)
            }
        } catch {
            log.warning("what a manifest said of \(id) cannot be taken back: \(error.message)")
        }
    }

    private func declare(_ manifest: Manifest?, of application: KnownApplication) {
        let id = application.id
        nonisolated(unsafe) let application = application
        declarations.take(manifest, of: application) { [weak self] error in
            // One that has been forgotten meanwhile was declared anew since, if at all.
            guard let self, registry.find(id) === application else { return }
            refuse(id, error)
        }
    }

    private func refuse(_ id: ApplicationID, _ error: SentinelError) {
        // What fails after that fails for it.
        refusals[id] = refusals[id] ?? error.message
        tellFindings()
    }

    // MARK: Findings

    private func tellFindings() {
        let unwatched = watch?.unwatched ?? directories
        var findings = files.problems + unwatched.map { "\($0): it cannot be watched for changes" }
        for (id, candidates) in files.files.sorted(by: { $0.key < $1.key }) {
            for file in candidates {
                if let problem = file.problem {
                    findings.append("\(file.path): \(ShownText.make(problem.description))")
                } else if file.path == applied[id]?.path {
                    findings += file.unknownMembers.prefix(20).map {
                        "\(file.path): \(ShownText.make($0)): nothing of this name is known"
                    }
                    if let refusal = refusals[id] {
                        findings.append("\(file.path): \(refusal)")
                    }
                    findings += declarations.problems(of: id).map { "\(file.path): \($0)" }
                }
            }
        }
        guard findings != self.findings else { return }
        for finding in findings where !self.findings.contains(finding) {
            log.warning("manifest \(finding)")
        }
        self.findings = findings
        findingsChanged()
    }
}
