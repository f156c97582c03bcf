// SPDX-License-Identifier: MIT

import Dispatch
import SentinelModels
import SentinelPersistence
import TestSupport
import Testing

@testable import SentinelPreferences

/// The preferences of `com.example.App` in a store of its own, on a queue of their own, at a time that the test sets.
final class PreferenceFixture: @unchecked Sendable {
    static let start: Int64 = 1_796_015_400_000_000

    let id: ApplicationID
    let limits: PreferenceLimits
    private let temporary: TemporaryDirectory
    private let queue = DispatchQueue(label: "preferences")
    /// Confined to `queue`, as all that follow.
    private(set) var directory: PreferenceDirectory
    private(set) var store: Store
    let changes = Recorder<PreferenceChanges>()
    private let ends = Recorder<Timestamp?>()
    /// The times to be woken at that were over when they were told.
    let lateEnds = Recorder<Timestamp>()
    private let time = Recorder<Int64>()

    init(limits: PreferenceLimits = .standard) async throws {
        id = try ApplicationID("com.example.App")
        self.limits = limits
        temporary = try TemporaryDirectory()
        store = Store.open(location: .directory(temporary.path(of: "data")))
        directory = Self.makeDirectory(store, queue, time, limits)
        try await keep(id)
        follow()
    }

    deinit {
        store.close()
    }

    var database: String { temporary.path(of: "data/sentinel.db") }

    /// Keeps an application, whose preferences can be stored then.
    func keep(_ id: ApplicationID) async throws {
        let record = ApplicationRecord(id: id, firstSeen: now, lastSeen: now)
        try await withCheckedContinuation { continuation in
            store.save(record) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Ends all and starts it again from what is stored.
    func restart(whileStopped work: () throws -> Void = {}) async throws {
        store.close()
        try work()
        store = Store.open(location: .directory(temporary.path(of: "data")))
        directory = Self.makeDirectory(store, queue, time, limits)
        follow()
        let problem: SentinelError? = await onQueue { [directory] in
            do throws(SentinelError) {
                try directory.load()
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
    }

    private static func makeDirectory(
        _ store: Store, _ queue: DispatchQueue, _ time: Recorder<Int64>, _ limits: PreferenceLimits
    ) -> PreferenceDirectory {
        PreferenceDirectory(
            store: store,
            environment: PreferenceEnvironment(
                enqueue: { work in queue.async(execute: work) },
                clock: WallClock { Timestamp(clamping: start + (time.elements.last ?? 0)) }, limits: limits))
    }

    private func follow() {
        directory.changed = { [changes] _, new in changes.append(new) }
        directory.nextEndChanged = { [ends, lateEnds, time] end in
            ends.append(end)
            if let end, end.microseconds <= Self.start + (time.elements.last ?? 0) { lateEnds.append(end) }
        }
    }

    // MARK: Time

    var now: Timestamp { Timestamp(clamping: Self.start + (time.elements.last ?? 0)) }

    /// Goes to a time so many seconds after the start, without waking anybody.
    func go(to seconds: Double) {
        time.append(Int64(seconds * 1_000_000))
    }

    /// When the preferences want to be woken next.
    var nextEnd: Timestamp? { ends.elements.last ?? nil }

    /// Wakes the preferences, as an alarm does.
    func wake() async {
        await onQueue { [directory] in directory.endOverrides() }
    }

    // MARK: Asking

    func onQueue<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    /// Asks the application's preferences something and waits for the answer.
    func ask<Success: Sendable>(
        _ body: @escaping @Sendable (PreferenceBook, @escaping PreferenceBook.Completion<Success>) -> Void
    ) async throws -> Success {
        try await withCheckedContinuation { continuation in
            queue.async { [directory, id] in
                body(directory.book(of: id)) { continuation.resume(returning: $0) }
            }
        }.get()
    }

    /// What was told since this was last asked.
    func takeChanges() -> [PreferenceChanges] { changes.takeAll() }

    func declare(_ declarations: PreferenceDeclaration...) async throws {
        try await declare(declarations)
    }

    func declare(_ declarations: [PreferenceDeclaration]) async throws {
        try await ask { $0.declare(declarations, origin: "declarer", completion: $1) }
    }

    @discardableResult
    func set(_ key: String, _ value: PreferenceValue?) async throws -> PreferenceValue {
        let key = try Name(key)
        return try await ask { $0.set(key, to: value, origin: "setter", completion: $1) }
    }

    func set(_ key: String, _ value: PreferenceValue?, for seconds: Double) async throws {
        let key = try Name(key)
        try await ask { $0.set(key, to: value, forSeconds: seconds, origin: "setter", completion: $1) }
    }

    func setMany(_ values: [String: PreferenceValue?]) async throws {
        let named = try Dictionary(uniqueKeysWithValues: values.map { (try Name($0.key), $0.value) })
        try await ask { $0.setMany(named, origin: "setter", completion: $1) }
    }

    func value(_ key: String) async throws -> PreferenceValue {
        let key = try Name(key)
        return try await ask { $0.value(key, completion: $1) }
    }

    func reset(_ keys: [String]?) async throws {
        let keys = try keys.map { try $0.map { try Name($0) } }
        try await ask { $0.reset(keys, origin: "resetter", completion: $1) }
    }

    func layers(_ key: String) async throws -> [String] {
        let key = try Name(key)
        let layers = try await ask { $0.explain(key, completion: $1) }
        return layers.map { "\($0.layer.rawValue) \($0.value.value.shownForTests)" }
    }

    func history(_ key: String? = nil, before: Int64? = nil, limit: Int = 100) async throws -> [PreferenceChange] {
        let key = try key.map { try Name($0) }
        return try await ask { $0.history(key, before: before, limit: limit, completion: $1) }
    }

    func undo(_ number: Int64) async throws {
        try await ask { $0.undo(UInt64(number), origin: "undoer", completion: $1) }
    }

    func saveProfile(_ name: String) async throws {
        let name = try Name(name)
        try await ask { $0.saveProfile(name, origin: "saver", completion: $1) }
    }

    func applyProfile(_ name: String?) async throws {
        let name = try name.map { try Name($0) }
        try await ask { $0.applyProfile(name, origin: "applier", completion: $1) }
    }

    func deleteProfile(_ name: String) async throws {
        let name = try Name(name)
        try await ask { $0.deleteProfile(name, origin: "deleter", completion: $1) }
    }

    func export(includesSensitive: Bool = false) async throws -> String {
        try await ask { $0.export(includesSensitive: includesSensitive, completion: $1) }
    }

    @discardableResult
    func take(_ document: String, isDry: Bool = false) async throws -> [PreferenceDifference] {
        try await ask { $0.import(document, isDry: isDry, origin: "importer", completion: $1) }
    }

    func launch(_ values: [String: PreferenceValue?]) async throws {
        let named = try Dictionary(uniqueKeysWithValues: values.map { (try Name($0.key), $0.value) })
        await onQueue { [directory, id] in directory.book(of: id).setLaunch(named, origin: "launcher") }
    }

    func setProvider(_ provider: (any PreferenceProvider)?) async {
        await onQueue { [directory, id] in directory.book(of: id).setProvider(provider) }
    }

    var warnings: [String] {
        get async { await onQueue { [directory] in directory.warnings } }
    }
}

extension PreferenceDeclaration {
    /// A declaration for a test.
    static func of(
        _ key: String, _ value: PreferenceValue, _ adjust: (inout PreferenceAttributes) -> Void = { _ in }
    ) throws -> PreferenceDeclaration {
        var attributes = PreferenceAttributes()
        adjust(&attributes)
        return try PreferenceDeclaration(
            key: try Name(key), name: key, defaultValue: value, attributes: attributes)
    }
}

extension PreferenceValue {
    var shownForTests: String { json.serialized() }
}

/// A provider that answers as it is told to.
final class StubProvider: PreferenceProvider {
    let calls = Recorder<String>()
    private let answer: @Sendable (Name, PreferenceValue?) -> Result<PreferenceValue?, SentinelError>

    /// - Parameter answer: makes an answer of the key and, for a write, the value.
    init(answer: @escaping @Sendable (Name, PreferenceValue?) -> Result<PreferenceValue?, SentinelError>) {
        self.answer = answer
    }

    func read(_ key: Name, completion: @escaping Completion) {
        calls.append("read \(key)")
        completion(answer(key, nil))
    }

    func write(_ key: Name, _ value: PreferenceValue, completion: @escaping Completion) {
        calls.append("write \(key) \(value.shownForTests)")
        completion(answer(key, value))
    }
}

/// Expects something to fail with a code.
func expectFailure(
    _ code: SentinelError.Code, mentioning texts: String..., sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: SentinelError.self, sourceLocation: sourceLocation) { try await body() }
    guard let error else { return }
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    for text in texts {
        #expect(error.message.contains(text), "\(error)", sourceLocation: sourceLocation)
    }
}
