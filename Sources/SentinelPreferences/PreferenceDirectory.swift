// SPDX-License-Identifier: MIT

public import SentinelModels
public import SentinelPersistence

/// The preferences of all applications.
///
/// Confined to the thread of its environment.
public final class PreferenceDirectory: @unchecked Sendable {
    /// Told of what has changed, before the one who changed it is.
    public var changed: ((PreferenceBook, PreferenceChanges) -> Void)?
    /// Told when there is something else to warn of.
    public var warningsChanged: (() -> Void)?
    /// Told when ``endOverrides()`` is to be called next; nil for never.
    public var nextEndChanged: ((Timestamp?) -> Void)?

    private let store: Store
    private let environment: PreferenceEnvironment
    private var books: [ApplicationID: PreferenceBook] = [:]
    private var nextEnd: Timestamp?
    private var knownWarnings: [String] = []

    /// The preferences in a store.
    public init(store: Store, environment: PreferenceEnvironment) {
        self.store = store
        self.environment = environment
    }

    /// Takes in what is stored, in place of what is known; what is being changed at the moment stays as it is. Waits for
    /// the disk.
    ///
    /// - Throws: why the store cannot be read.
    public func load() throws(SentinelError) {
        var stored = try store.preferences()
        for (id, book) in books where book.isIdle && id != .sentinel {
            book.load(
                PreferenceState(
                    stored.removeValue(forKey: id) ?? StoredPreferences(), matches: true, limits: environment.limits))
        }
        for (id, preferences) in stored where books[id] == nil {
            books[id] = makeBook(id, PreferenceState(preferences, matches: true, limits: environment.limits))
        }
        review()
        endOverrides()
    }

    /// Takes in what another database holds of an application that has come into use. What is known stays, and is
    /// stored there.
    ///
    /// - Parameter completion: why that cannot be done.
    public func takeInDatabase(of id: ApplicationID, completion: @escaping PreferenceBook.Completion<Void>) {
        book(of: id).takeInDatabase(completion: completion)
    }

    /// The preferences of an application.
    public func book(of id: ApplicationID) -> PreferenceBook {
        if let book = books[id] { return book }
        let book = makeBook(id, PreferenceState(limits: environment.limits))
        books[id] = book
        return book
    }

    /// Whether an application has declared any.
    public func hasDeclarations(_ id: ApplicationID) -> Bool {
        books[id]?.hasDeclarations == true
    }

    /// Lets go of an application that has been forgotten; the store has let go of it already.
    public func forget(_ id: ApplicationID) {
        books.removeValue(forKey: id)?.forget()
        review()
    }

    /// Ends the overrides whose time is over; what they had overridden is in force again once that is stored.
    public func endOverrides() {
        nextEnd = endDue()
        // It may have been too early, or the clock was set.
        nextEndChanged?(nextEnd)
    }

    /// Begins to end the overrides whose time is over.
    ///
    /// - Returns: the next end that is still to come. What is being ended needs no waking: its book tells when it has.
    private func endDue() -> Timestamp? {
        let now = environment.clock.now()
        for book in books.values {
            if let end = book.state.nextEnd, end <= now {
                book.endOverrides()
            }
        }
        return books.values.compactMap(\.state.nextEnd).filter { $0 > now }.min()
    }

    /// Lets go of all providers; for the end.
    public func removeProviders() {
        for book in books.values {
            book.removeProvider()
        }
    }

    /// What is not valid of what is kept, for people, ordered by application.
    public var warnings: [String] {
        books.sorted { $0.key < $1.key }.flatMap { id, book in book.warnings.map { "\(id): \($0)" } }
    }

    private func makeBook(_ id: ApplicationID, _ state: PreferenceState) -> PreferenceBook {
        let book = PreferenceBook(
            id, state: state, store: id == .sentinel ? nil : store, environment: environment)
        book.changed = { [weak self] book, changes in self?.changed?(book, changes) }
        book.stateChanged = { [weak self] in self?.review() }
        book.totalByteCount = { [weak self] in
            self?.books.values.reduce(0) { $0 + $1.state.footprint.byteCount } ?? 0
        }
        return book
    }

    /// Looks whether there is something else to wait for or to warn of.
    private func review() {
        let end = endDue()
        if end != nextEnd {
            nextEnd = end
            nextEndChanged?(end)
        }
        let warnings = warnings
        if warnings != knownWarnings {
            knownWarnings = warnings
            warningsChanged?()
        }
    }
}
