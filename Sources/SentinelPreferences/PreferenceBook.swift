// SPDX-License-Identifier: MIT

public import SentinelModels
import SentinelPersistence

/// The preferences of one application.
///
/// What is asked of it is done in the order in which it comes, reading included; a completion is called once what it
/// tells of is on disk. Confined to the thread of its environment, on which completions are called too.
public final class PreferenceBook: @unchecked Sendable {
    /// Gets what has become of what was asked.
    public typealias Completion<Success> = @Sendable (Result<Success, SentinelError>) -> Void

    /// Id of the application.
    public let id: ApplicationID
    /// Who holds the live preferences; nil while nobody does.
    public private(set) var provider: (any PreferenceProvider)?

    /// Told of what has changed, before the one who changed it.
    var changed: ((PreferenceBook, PreferenceChanges) -> Void)?
    /// Told when the next end of an override or what there is to warn of may be another.
    var stateChanged: (() -> Void)?
    /// Tells how many bytes the preferences of all applications have.
    var totalByteCount: (() -> Int)?

    private(set) var state: PreferenceState
    /// Nil where nothing is kept: all of the service's own preferences is live.
    private let store: Store?
    private let environment: PreferenceEnvironment
    private var line = PreferenceLine()
    private var isBusy = false
    private var isServing = false
    private var isForgotten = false
    /// Whether a step that ends overrides waits or is being stored.
    private var isEnding = false

    init(_ id: ApplicationID, state: PreferenceState, store: Store?, environment: PreferenceEnvironment) {
        self.id = id
        self.state = state
        self.store = store
        self.environment = environment
    }

    /// A step that is taken, and what is to be told of it.
    private typealias Taken = (changes: PreferenceChanges, finish: PreferenceLine.Finish)

    // MARK: What is known at once

    /// Whether any preference is declared.
    public var hasDeclarations: Bool { !state.order.isEmpty }
    /// Whether any preference is declared by a manifest.
    public var hasManifestDeclarations: Bool { state.entries.values.contains { $0.declared.source == .manifest } }
    /// The profile that is applied; nil for none.
    public var appliedProfile: Name? { state.appliedProfile }
    /// The names of the profiles, ordered by their bytes.
    public var profileNames: [Name] { state.profiles.keys.sorted() }
    /// The values in force that are known, in declared order, without those of sensitive preferences.
    public var shownValues: [(key: Name, value: PreferenceValue)] {
        state.order.compactMap { key in
            guard let entry = state.entries[key], !entry.declaration.isMarked(.sensitive) else { return nil }
            return entry.value.map { (key, $0) }
        }
    }
    /// All preferences as they are known, in declared order.
    public var listings: [PreferenceListing] { state.order.compactMap { state.entries[$0]?.listing } }
    /// What is not valid of what is kept, for people.
    public var warnings: [String] { state.warnings }
    /// Whether nothing waits to be done.
    var isIdle: Bool { !isBusy && line.isEmpty }
    var limits: PreferenceLimits { environment.limits }

    /// Takes over what was read from the store, in place of what was known.
    func load(_ stored: PreferenceState) {
        state = stored
        stateChanged?()
    }

    /// Refuses all from now on: the application has been forgotten.
    func forget() {
        isForgotten = true
        let waiting = line.takeAll()
        for item in waiting {
            refuse(item)
        }
    }

    // MARK: The line

    /// Takes a step in its turn.
    func perform<Success: Sendable>(
        _ step: @escaping @Sendable (inout PreferenceTransaction) throws(SentinelError) -> Success,
        completion: @escaping Completion<Success>
    ) {
        add(item(step, completion))
    }

    /// Takes a step before all that waits, for the work that holds it up and is over now.
    func performFirst<Success: Sendable>(
        _ step: @escaping @Sendable (inout PreferenceTransaction) throws(SentinelError) -> Success,
        completion: @escaping Completion<Success>
    ) {
        guard !isForgotten else { return perform(step, completion: completion) }
        line.putBack([item(step, completion)])
    }

    private func item<Success: Sendable>(
        _ step: @escaping @Sendable (inout PreferenceTransaction) throws(SentinelError) -> Success,
        _ completion: @escaping Completion<Success>
    ) -> PreferenceLine.Item {
        .step { transaction in
            if let refusal = transaction.refusal {
                return { _ in completion(.failure(refusal)) }
            }
            do throws(SentinelError) {
                let success = try step(&transaction)
                return { error in completion(error.map(Result.failure) ?? .success(success)) }
            } catch {
                return { _ in completion(.failure(error)) }
            }
        }
    }

    /// Does something in its turn that is over later.
    func hold(_ work: @escaping @Sendable (SentinelError?, @escaping @Sendable () -> Void) -> Void) {
        add(.work(work))
    }

    private func add(_ item: PreferenceLine.Item) {
        guard !isForgotten else { return refuse(item) }
        line.add(item)
        serve()
    }

    private func serve() {
        // What is over at once is done in this loop and not inside of each other.
        guard !isServing else { return }
        isServing = true
        defer { isServing = false }
        while !isBusy, !line.isEmpty {
            let items = line.takeNext()
            if case .work(let work)? = items.first {
                isBusy = true
                work(nil) { [self] in
                    isBusy = false
                    serve()
                }
            } else {
                take(items)
            }
        }
    }

    /// Takes steps and has them stored together.
    private func take(_ items: [PreferenceLine.Item]) {
        let now = environment.clock.now()
        var transaction = PreferenceTransaction(state, now: now)
        transaction.othersByteCount = (totalByteCount?() ?? 0) - state.footprint.byteCount
        if let end = state.nextEnd, end <= now {
            transaction.endOverrides(origin: ApplicationID.sentinel.text)
        }
        var steps: [Taken] = [(transaction.takeChanges(), { _ in })]
        for case .step(let step) in items {
            let finish = step(&transaction)
            steps.append((transaction.takeChanges(), finish))
        }
        let writes = transaction.writes
        let (newState, taken) = (transaction.state, steps)
        guard !writes.isEmpty, let store else { return settle(newState, taken) }
        isBusy = true
        store.writePreferences(
            of: id, writes, historyLimit: limits.history, historyBytes: limits.historyBytes
        ) { [self] result in
            environment.enqueue { [self] in
                // Whoever is told may ask for more: that comes when all are told.
                isServing = true
                switch result {
                case .success: settle(newState, taken)
                case .failure(let error): fail(items, taken, error, at: now)
                }
                isServing = false
                isBusy = false
                serve()
            }
        }
    }

    private func settle(
        _ newState: PreferenceState, _ steps: [Taken]
    ) {
        if !isForgotten {
            let isNews = newState.ends != state.ends || newState.problems != state.problems
            state = newState
            if isNews { stateChanged?() }
        }
        for (changes, finish) in steps {
            if !isForgotten, !changes.isEmpty {
                changed?(self, changes)
            }
            finish(nil)
        }
    }

    private func fail(
        _ items: [PreferenceLine.Item], _ steps: [Taken],
        _ error: SentinelError, at now: Timestamp
    ) {
        var hasEnded = false
        if let end = state.nextEnd, end <= now {
            // An override ends when its time is over, whether that can be stored or not. What failed with it is tried
            // again without: reading needs nothing to be stored.
            hasEnded = true
            var transaction = PreferenceTransaction(state, now: now)
            transaction.endOverrides(origin: ApplicationID.sentinel.text)
            let changes = transaction.takeChanges()
            settle(transaction.state, [(changes, { @Sendable _ in })])
        }
        guard isForgotten || items.count == 1 && !hasEnded else { return line.putBack(items) }
        for (_, finish) in steps {
            finish(isForgotten || error.code == .conflict ? forgottenError : error)
        }
    }

    private func refuse(_ item: PreferenceLine.Item) {
        switch item {
        case .step(let step):
            var nothing = PreferenceTransaction(PreferenceState(limits: limits), now: environment.clock.now())
            nothing.refusal = forgottenError
            step(&nothing)(nil)
        case .work(let work):
            work(forgottenError) {}
        }
    }

    private var forgottenError: SentinelError {
        SentinelError(.unknownApplication, "the application \(id) has been forgotten; it must register again")
    }
}

// MARK: - Provider

extension PreferenceBook {
    /// Sets who holds the live preferences from now on. What is known of them may not hold any more.
    public func setProvider(_ provider: (any PreferenceProvider)?) {
        self.provider = provider
        perform { (transaction) throws(SentinelError) in
            transaction.makeStale()
        } completion: { _ in
        }
    }

    /// Lets go of the provider, and changes nothing else.
    func removeProvider() {
        provider = nil
    }

    /// Sets what the newest instance that said anything was started with; nothing once there is none.
    public func setLaunch(_ values: [Name: PreferenceValue?], origin: String) {
        perform { (transaction) throws(SentinelError) in
            transaction.setLaunch(values, origin: origin)
        } completion: { _ in
        }
    }

    /// Ends the overrides whose time is over, as every step does, unless that is on its way.
    func endOverrides() {
        guard !isEnding else { return }
        isEnding = true
        perform { (_) throws(SentinelError) in
        } completion: { [self] _ in
            isEnding = false
            // The clock may have been set back meanwhile, so that they are to be waited for again.
            stateChanged?()
        }
    }

    /// The provider.
    ///
    /// - Throws: `unavailable` if there is none.
    func needProvider(for key: Name) throws(SentinelError) -> any PreferenceProvider {
        guard let provider else {
            throw SentinelError(
                .unavailable, "preference \(key) is live, and no running instance of \(id) provides it")
        }
        return provider
    }

    // For the extensions in other files, which read and write what is stored.

    func readChanges(
        key: Name?, before: Int64?, limit: Int, completion: @escaping Completion<[StoredChange]>
    ) {
        guard let store else { return completion(.success([])) }
        store.preferenceChanges(of: id, key: key, before: before, limit: limit) { [environment] result in
            environment.enqueue { completion(result) }
        }
    }

    func readStored(completion: @escaping Completion<StoredPreferences>) {
        guard let store else { return completion(.success(StoredPreferences())) }
        store.preferences(of: id) { [environment] result in
            environment.enqueue { completion(result) }
        }
    }

    func readChange(_ number: Int64, completion: @escaping Completion<StoredChange?>) {
        guard let store else { return completion(.success(nil)) }
        store.preferenceChange(number, of: id) { [environment] result in
            environment.enqueue { completion(result) }
        }
    }
}
