// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPreferences

/// Where the live preferences of an application are: where a manifest says, or at its newest instance's provider.
///
/// Confined to the loop's thread.
final class LivePreferences: PreferenceProvider, @unchecked Sendable {
    private let application: KnownApplication
    private let link: ProviderLink
    private let storages: [any SettingsStorage]
    /// The preferences, which hold this.
    private weak var book: PreferenceBook?

    init(
        _ application: KnownApplication, link: ProviderLink, storages: [any SettingsStorage], book: PreferenceBook
    ) {
        self.application = application
        self.link = link
        self.storages = storages
        self.book = book
    }

    func read(_ key: Name, completion: @escaping Completion) {
        if let storage = storage(of: key) {
            return storage.read(key, of: application.id, completion: completion)
        }
        link.readPreference(key, of: application) { completion($0.map(\.preference)) }
    }

    func write(_ key: Name, _ value: PreferenceValue, completion: @escaping Completion) {
        if let storage = storage(of: key) {
            return storage.write(value, to: key, of: application.id, completion: completion)
        }
        link.writePreference(key, to: Value(value), of: application) { completion($0.map(\.preference)) }
    }

    private func storage(of key: Name) -> (any SettingsStorage)? {
        // What the application has declared itself since then is its provider's.
        guard book?.isOfManifest(key) == true else { return nil }
        return storages.first { $0.holds(key, of: application.id) }
    }
}

/// Sees to it that each application's live preferences are asked where they are.
///
/// Confined to the loop's thread.
final class LivePreferenceDirectory: @unchecked Sendable {
    private let preferences: PreferenceService
    private let link: ProviderLink
    private let storages: [any SettingsStorage]
    /// What each application's live preferences were last known to be provided by.
    private var sources: [ApplicationID: Source] = [:]

    private struct Source: Equatable {
        var instance: BusName?
        var path: ObjectPath?
        var isStored: Bool
    }

    init(_ preferences: PreferenceService, link: ProviderLink, storages: [any SettingsStorage]) {
        self.preferences = preferences
        self.link = link
        self.storages = storages
        for storage in storages {
            storage.valuesRead = { [weak preferences] id, values in
                guard let book = preferences?.book(of: id) else { return }
                // Each for itself: one that does not fit says nothing of the others.
                for (key, value) in values.sorted(by: { $0.key < $1.key }) where book.isOfManifest(key) {
                    book.update([key: .some(value)]) { result in
                        // Why it does not fit is said to who asks for it.
                        if case .failure = result { book.makeStale([key]) }
                    }
                }
            }
            storage.valuesLost = { [weak preferences] id, keys in
                guard let book = preferences?.book(of: id) else { return }
                book.makeStale(keys.filter(book.isOfManifest))
            }
        }
    }

    /// Takes note of instances that have come or gone, or of another manifest.
    func renew(_ application: KnownApplication) {
        let provider = application.instances.last.flatMap { instance in
            instance.registration.provider.map { (instance.client, $0) }
        }
        let isStored = storages.contains { $0.hasBindings(application.id) }
        let source = Source(instance: provider?.0, path: provider?.1, isStored: isStored)
        guard source != sources[application.id] ?? Source(isStored: false) else { return }
        sources[application.id] = source
        let isThere = provider != nil || isStored
        let book = preferences.book(of: application.id)
        book.setProvider(isThere ? LivePreferences(application, link: link, storages: storages, book: book) : nil)
    }

    /// Lets go of an application that has been forgotten.
    func forget(_ id: ApplicationID) {
        sources[id] = nil
        for storage in storages {
            storage.forget(id)
        }
    }
}
