// SPDX-License-Identifier: MIT

import DBus
import Locking
import SentinelModels
import SystemFacts

/// The preferences whose values are in GSettings: they are read when asked for and when others have changed them.
///
/// Confined to the loop's thread.
final class GSettings: SettingsStorage, @unchecked Sendable {
    /// Where a value is.
    struct Binding: Hashable, Sendable {
        let key: GSettingsKey
        /// A value of the type wanted.
        let example: PreferenceValue
        let isSensitive: Bool
    }

    /// When a program was last ended that did not answer.
    private struct Hang {
        let time: ContinuousClock.Instant
        let error: SentinelError
    }

    var valuesRead: ((ApplicationID, [Name: PreferenceValue]) -> Void)?
    var valuesLost: ((ApplicationID, [Name]) -> Void)?
    /// Told when what ``problems(of:)`` tells has changed.
    var problemsChanged: (() -> Void)?

    private let loop: EventLoop
    private let log: Log
    private let pool: ReadingPool
    private let monitors: GSettingsMonitors
    /// Where schemas are, absolute.
    private let schemaDirectories: [String]
    private let hang = Guarded(Hang?.none)
    private var bindings: [ApplicationID: [Name: Binding]] = [:]
    /// Why values cannot be read.
    private var problems: [ApplicationID: [Name: String]] = [:]
    private var watch: DirectoryWatch?
    /// Whether the schemas' directories are being watched by now.
    private var isWatching = false

    /// - Parameter schemaDirectories: where schemas come and go, absolute paths without a slash at the end.
    init(on loop: EventLoop, log: Log, schemaDirectories: [String]) {
        self.loop = loop
        self.log = log
        self.schemaDirectories = schemaDirectories
        // One after the other: what was written is read by who asks afterwards.
        pool = ReadingPool("org.sentinel.gsettings", places: 1, loop: loop)
        monitors = GSettingsMonitors(on: loop, pool: pool)
        monitors.changed = { [weak self] schema, keys in self?.refresh(schema, keys) }
        monitors.problemsChanged = { [weak self] in self?.problemsChanged?() }
    }

    func hasBindings(_ id: ApplicationID) -> Bool { bindings[id] != nil }

    func holds(_ key: Name, of id: ApplicationID) -> Bool { bindings[id]?[key] != nil }

    /// Sets which values of an application are in GSettings, and reads them.
    func bind(_ bindings: [Name: Binding], of id: ApplicationID) {
        guard self.bindings[id, default: [:]] != bindings else { return }
        self.bindings[id] = bindings.isEmpty ? nil : bindings
        problems[id] = nil
        monitors.keep(schemas)
        watchSchemas()
        // Else all are read once they are: a process each, that is not to be started twice.
        guard isWatching || watch == nil else { return }
        for key in bindings.keys.sorted() {
            refresh(key, of: id)
        }
    }

    func forget(_ id: ApplicationID) { bind([:], of: id) }

    /// Why values of an application cannot be read, or their changes noticed, for people.
    func problems(of id: ApplicationID) -> [String] {
        let unread = problems[id, default: [:]].sorted { $0.key < $1.key }.map { "preference \($0.key): \($0.value)" }
        let schemas = Set(bindings[id, default: [:]].values.map(\.key.schema))
        let unwatched = monitors.problems.filter { schemas.contains($0.key) }.sorted { $0.key < $1.key }
        return unread + unwatched.map { "GSettings \($0.key): what others change is not noticed: \($0.value)" }
    }

    func read(_ key: Name, of id: ApplicationID, completion: @escaping Completion) {
        guard let binding = bindings[id]?[key] else { return completion(.failure(Self.gone(key))) }
        perform { () throws(SentinelError) in
            try binding.key.value(like: binding.example)
        } _: { [weak self] result in
            self?.note(result, key, binding, of: id)
            completion(result.map { .some($0) })
        }
    }

    func write(_ value: PreferenceValue, to key: Name, of id: ApplicationID, completion: @escaping Completion) {
        guard let binding = bindings[id]?[key] else { return completion(.failure(Self.gone(key))) }
        guard !binding.isSensitive else {
            return completion(
                .failure(
                    SentinelError(
                        .notSupported,
                        "preference \(key) is sensitive: others could see it in the arguments of gsettings")))
        }
        perform { () throws(SentinelError) in
            try binding.key.set(to: value)
        } _: { result in
            completion(result.map { .some($0) })
        }
    }

    /// Ends what runs.
    func stop() {
        watch?.cancel()
        monitors.keep([])
        pool.stop()
    }

    // MARK: Asking

    private func perform(
        _ body: @escaping @Sendable () throws(SentinelError) -> PreferenceValue,
        _ completion: @escaping @Sendable (Result<PreferenceValue, SentinelError>) -> Void
    ) {
        let asked = ContinuousClock.now
        pool.read { [hang] () -> Result<PreferenceValue, SentinelError> in
            // Who has waited for one that does not answer has waited long enough.
            if let hang = hang.withLock({ $0 }), hang.time > asked {
                return .failure(hang.error)
            }
            do throws(SentinelError) {
                return .success(try body())
            } catch {
                if let cause = error.underlying as? SentinelError, cause.code == .timeout {
                    hang.withLock { $0 = Hang(time: .now, error: error) }
                }
                return .failure(error)
            }
        } _: {
            completion($0)
        }
    }

    private func refresh(_ key: Name, of id: ApplicationID) {
        guard let binding = bindings[id]?[key] else { return }
        perform { () throws(SentinelError) in
            try binding.key.value(like: binding.example)
        } _: { [weak self] result in
            guard let self, bindings[id]?[key] == binding else { return }
            note(result, key, binding, of: id)
            switch result {
            case .success(let value): valuesRead?(id, [key: value])
            case .failure: valuesLost?(id, [key])
            }
        }
    }

    private func refresh(_ schema: String, _ keys: Set<String>?) {
        for (id, bindings) in bindings {
            for (key, binding) in bindings where binding.key.schema.utf8.elementsEqual(schema.utf8) {
                if keys?.contains(binding.key.key) ?? true {
                    refresh(key, of: id)
                }
            }
        }
    }

    private func note(
        _ result: Result<PreferenceValue, SentinelError>, _ key: Name, _ binding: Binding, of id: ApplicationID
    ) {
        guard bindings[id]?[key] == binding else { return }
        let before = problems[id]?[key]
        switch result {
        case .success:
            problems[id]?[key] = nil
            monitors.watch(binding.key.schema)
        case .failure(let error):
            problems[id, default: [:]][key] = error.message
        }
        if problems[id]?[key] != before {
            problemsChanged?()
        }
    }

    // MARK: Schemas

    /// Where GSettings looks for schemas: `glib-2.0/schemas` of the data directories, and `GSETTINGS_SCHEMA_DIR`.
    static func schemaDirectories(environment: [String: String]) -> [String] {
        let more = environment["GSETTINGS_SCHEMA_DIR", default: ""].split(separator: ":").map(String.init)
        let places = DataDirectories(environment: environment).paths.map { "\($0)/glib-2.0/schemas" } + more
        return DataDirectories(paths: places).paths
    }

    private var schemas: Set<String> { Set(bindings.values.flatMap(\.values).map(\.key.schema)) }

    /// Watches for schemas that come and go: an application's manifest may be there before them.
    private func watchSchemas() {
        guard !bindings.isEmpty else {
            watch?.cancel()
            (watch, isWatching) = (nil, false)
            return
        }
        guard watch == nil else { return }
        do throws(DBusError) {
            watch = try DirectoryWatch("org.sentinel.schema-watch", gathering: .milliseconds(500), on: loop) {
                [weak self] _ in
                self?.schemasChanged()
            }
            watch?.set(schemaDirectories)
        } catch {
            log.warning("schemas of GSettings are not watched: \(error.message)")
        }
    }

    private func schemasChanged() {
        isWatching = true
        // What runs knows the schemas of its start.
        monitors.keep([])
        for schema in schemas {
            refresh(schema, nil)
        }
    }
}
