// SPDX-License-Identifier: MIT

import DBus
import SentinelAnalytics
import SentinelModels
import SystemFacts

/// Reads the files of metrics, and follows their changes.
///
/// Confined to the loop's thread.
final class MetricFiles: @unchecked Sendable {
    /// What was read of the directories.
    private struct Reading: Sendable {
        var catalog = MetricCatalog()
        /// The files of each directory when it was last read.
        var files: [String: [MetricCatalog.File]] = [:]
        /// Files of metrics that are links, whose targets are others' to change.
        var links: [String] = []
        /// What is wrong with directories.
        var problems: [String] = []
    }

    /// So many metrics are read of one directory.
    private static let mostFiles = 1000
    private static let ending = ".sql"

    private let directories: [String]
    private let loop: EventLoop
    private let log: Log
    private let pool: ReadingPool
    private let findingsChanged: () -> Void
    private var watch: DirectoryWatch?
    private var reading = Reading()
    private var isUnwatched = false
    private var isReading = false
    private var isOutdated = false

    /// The metrics as they were last read.
    var catalog: MetricCatalog { reading.catalog }

    /// What is wrong with metrics, for people.
    private(set) var findings: [String] = []

    /// Metrics of directories, the strongest first; `findingsChanged` is called whenever ``findings`` have changed.
    init(_ directories: [String], loop: EventLoop, log: Log, findingsChanged: @escaping () -> Void) {
        self.directories = directories
        self.loop = loop
        self.log = log
        self.findingsChanged = findingsChanged
        pool = ReadingPool("org.sentinel.metrics", places: 1, loop: loop)
    }

    /// The directories of an environment: `sentinel/metrics` in `XDG_CONFIG_HOME` (`$HOME/.config`), then in those of
    /// `XDG_DATA_DIRS`.
    static func directories(environment: [String: String]) -> [String] {
        let home = environment["HOME"].map { "\($0)/.config" }
        let user = environment["XDG_CONFIG_HOME"].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } ?? home
        // Without the user's data directory, which is none of those for metrics.
        var system = environment
        system["HOME"] = nil
        system["XDG_DATA_HOME"] = nil
        let places = (user.map { [$0] } ?? []) + DataDirectories(environment: system).paths
        return DataDirectories(paths: places).paths.map { "\($0)/sentinel/metrics" }
    }

    /// Reads the metrics and watches for changes.
    func start() {
        do throws(DBusError) {
            watch = try DirectoryWatch("org.sentinel.metrics-watch", on: loop) { [weak self] _ in self?.read() }
            watch?.set(directories)
        } catch {
            isUnwatched = true
            log.warning("metrics are read once and not watched: \(error.message)")
        }
        read()
    }

    /// Ends the watch, and lets go of what is read.
    func stop() {
        watch?.cancel()
        watch = nil
        pool.stop()
    }

    private func read() {
        guard !isReading else {
            isOutdated = true
            return
        }
        isReading = true
        pool.read { [directories, reading] in
            Self.read(directories, since: reading)
        } _: { [weak self] reading in
            guard let self else { return }
            isReading = false
            self.reading = reading
            watch?.set(directories + reading.links)
            tellFindings()
            if isOutdated {
                isOutdated = false
                read()
            }
        }
    }

    private static func read(_ directories: [String], since earlier: Reading) -> Reading {
        var reading = Reading()
        for directory in directories {
            do throws(SentinelError) {
                let names = try ManifestFiles.names(in: directory, ending: ending)
                if names.count > mostFiles {
                    reading.problems.append("\(directory): only the first \(mostFiles) metrics are read")
                }
                let files = names.prefix(mostFiles).map { file("\(directory)/\($0)", $0) }
                reading.files[directory] = files
                reading.links += files.map(\.path).filter(ManifestFiles.isLink)
            } catch {
                reading.problems.append("\(directory): it cannot be read: \(error.message)")
                reading.files[directory] = earlier.files[directory]
            }
        }
        reading.catalog = MetricCatalog(directories.flatMap { reading.files[$0] ?? [] }, since: earlier.catalog)
        return reading
    }

    private static func file(_ path: String, _ name: String) -> MetricCatalog.File {
        let contents: Result<[UInt8], SentinelError>
        do throws(FactError) {
            contents = .success(try SmallFile.read(path, limit: Metric.largestFile))
        } catch {
            contents = .failure(SentinelError(.unavailable, error.message))
        }
        return MetricCatalog.File(path: path, name: String(name.dropLast(ending.count)), contents: contents)
    }

    private func tellFindings() {
        let findings =
            reading.problems + (isUnwatched ? directories : []).map { "\($0): it cannot be watched for changes" }
            + catalog.problems.map { "\($0.path): \(ShownText.make($0.reason))" }
        guard findings != self.findings else { return }
        for finding in findings where !self.findings.contains(finding) {
            log.warning("metric \(finding)")
        }
        self.findings = findings
        findingsChanged()
    }
}
