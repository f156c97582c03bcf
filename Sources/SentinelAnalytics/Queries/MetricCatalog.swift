// SPDX-License-Identifier: MIT

public import SentinelModels

/// The metrics of directories, as a reading of them has found them.
///
/// A name's metric is the first right one of the directories. A file that is wrong is reported and changes nothing: what it
/// said when it was last right stays in force.
public struct MetricCatalog: Sendable {
    /// A file as it was read.
    public struct File: Sendable {
        /// Its path.
        public let path: String
        /// Its name without `.sql`.
        public let name: String
        /// What it holds, or why it cannot be read.
        public let contents: Result<[UInt8], SentinelError>

        /// A file with what it holds.
        public init(path: String, name: String, contents: Result<[UInt8], SentinelError>) {
            self.path = path
            self.name = name
            self.contents = contents
        }
    }

    /// What is remembered of a file.
    private struct Entry: Sendable {
        var bytes: [UInt8]?
        var metric: Metric?
        var problem: String?
    }

    private var entries: [String: Entry] = [:]
    private var metricsByName: [String: Metric] = [:]
    /// What is wrong with which files, for people.
    public private(set) var problems: [(path: String, reason: String)] = []

    /// No metrics.
    public init() {}

    /// The metrics of files, those of the strongest directory first; what they said earlier is taken from another catalog.
    public init(_ files: [File], since earlier: MetricCatalog) {
        for file in files {
            let entry = Self.entry(of: file, since: earlier.entries[file.path])
            entries[file.path] = entry
            if let problem = entry.problem {
                problems.append((file.path, problem))
            }
            if let metric = entry.metric, metricsByName[metric.name] == nil {
                metricsByName[metric.name] = metric
            }
        }
    }

    private static func entry(of file: File, since known: Entry?) -> Entry {
        var entry = Entry(metric: known?.metric)
        do throws(SentinelError) {
            let bytes = try file.contents.get()
            if let known, known.bytes == bytes { return known }
            entry.bytes = bytes
            entry.metric = try Metric(name: file.name, parsing: bytes)
        } catch {
            entry.problem = error.message
        }
        return entry
    }

    /// The metrics, by the bytes of their names.
    public var metrics: [Metric] {
        metricsByName.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The metric of a name.
    ///
    /// - Throws: `unknownMetric`.
    public func metric(_ name: String) throws(SentinelError) -> Metric {
        guard let metric = metricsByName[name] else {
            throw SentinelError(.unknownMetric, "no metric is called \(name.debugDescription)")
        }
        return metric
    }
}
