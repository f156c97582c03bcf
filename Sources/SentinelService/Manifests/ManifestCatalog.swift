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
    /// Changes that come within so long of each other are looked at together.
    private static let gathering = Duration.milliseconds(100)

    private let directories: [String]
    private let limits: Manifest.Limits
    private let registry: ApplicationRegistry
    private let declarations: ManifestDeclarations
    private let loop: EventLoop
    private let log: Log
    private let pool: ReadingPool
    private let findingsChanged: () -> Void
    private var watch: DirectoryWatch?
    private var files = ManifestFiles()
    /// The manifests that are declared, by application.
    private var applied: [ApplicationID: ManifestFiles.File] = [:]
    /// Why manifests that are right could not be declared.
    private var refusals: [ApplicationID: String] = [:]
    private var unwatched: [String] = []
    private var timer: LoopTimer?
    private var isReading = false
    private var hasRead = false
    private var isOutdated = false

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
        pool = ReadingPool("org.sentinel.manifests", places: 1, loop: loop)
    }

    /// Reads the manifests and watches for changes.
    func start() {
        declarations.problemsChanged = { [weak self] in self?.tellFindings() }
        do throws(DBusError) {
            let watch = try DirectoryWatch(on: loop) { [weak self] in self?.gather() }
            self.watch = watch
            unwatched = watch.set(directories)
        } catch {
            unwatched = directories
            log.warning("manifests are read once and not watched: \(error.message)")
        }
        read()
    }

    /// Ends the watch, and lets go of what is read.
    func stop() {
        watch?.cancel()
        timer?.cancel()
        pool.stop()
    }

    /// Brings back what the manifest of an application says that has been forgotten.
    func restore(_ id: ApplicationID) {
        if let file = applied[id] {
            declare(file)
        }
    }

    private func gather() {
        guard timer == nil else { return }
        timer = loop.schedule(after: Self.gathering) { [weak self] in
            self?.timer = nil
            self?.read()
        }
    }

    private func read() {
        guard !isReading else {
            isOutdated = true
            return
        }
        isReading = true
        pool.read { [directories, limits, files] in
            ManifestFiles(in: directories, limits: limits, since: files)
        } _: { [weak self] files in
            guard let self else { return }
            isReading = false
            take(files)
            if isOutdated {
                isOutdated = false
                read()
            }
        }
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
            guard let application = try registry.describe(file.application, manifest.description) else { return }
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
        declarations.take(manifest, of: application) { [weak self] error in
            guard let self, registry.find(id) != nil else { return }
            refusals[id] = error.message
            tellFindings()
        }
    }

    // MARK: Findings

    private func tellFindings() {
        var findings = files.problems + unwatched.map { "\($0): it cannot be watched for changes" }
        for (id, candidates) in files.files.sorted(by: { $0.key < $1.key }) {
            for file in candidates {
                if let problem = file.problem {
                    findings.append("\(file.path): \(ShownText.make(problem.description))")
                } else if file.path == applied[id]?.path {
                    findings += (file.manifest?.unknownMembers ?? []).prefix(20).map {
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
