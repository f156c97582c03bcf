// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence
import SentinelPreferences

/// The preferences of all applications on the bus: their interface, their signals, and what they need of the registry.
///
/// Confined to the loop's thread.
final class PreferenceService: @unchecked Sendable {
    /// Told of an application whose values in force have changed, with the keys.
    var valuesChanged: ((ApplicationID, [Name]) -> Void)?
    /// Told of an application whose preferences have been declared or removed.
    var declarationsChanged: ((ApplicationID) -> Void)?
    /// Told when there is something else to warn of.
    var warningsChanged: (() -> Void)?
    /// The service's own preferences.
    let own: ServicePreferences

    private let directory: PreferenceDirectory
    private let registry: ApplicationRegistry
    private let callers: CallerNames
    private let connection: Connection
    private let limits: PreferenceLimits
    private let log: Log
    private lazy var alarm = WallClockAlarm(on: connection.loop) { [weak self] in self?.directory.endOverrides() }

    init(
        connection: Connection, registry: ApplicationRegistry, store: Store, callers: CallerNames, log: Log,
        limits: PreferenceLimits, clock: WallClock = .system
    ) {
        self.connection = connection
        self.registry = registry
        self.limits = limits
        self.log = log
        self.callers = callers
        let environment = PreferenceEnvironment(
            enqueue: { [loop = connection.loop] work in loop.enqueue(work) }, clock: clock, limits: limits)
        directory = PreferenceDirectory(store: store, environment: environment)
        own = ServicePreferences(directory.book(of: .sentinel), log: log)
        directory.changed = { [weak self] book, changes in self?.announce(book, changes) }
        directory.warningsChanged = { [weak self] in self?.warningsChanged?() }
        directory.nextEndChanged = { [weak self] time in self?.setAlarm(time) }
    }

    /// Takes in what is stored.
    ///
    /// - Throws: why the store cannot be read.
    func load() throws(SentinelError) {
        try directory.load()
    }

    /// Takes in what another database holds of an application that has come into use; what is known is stored there.
    func takeInDatabase(
        of application: KnownApplication, completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        directory.takeInDatabase(of: application.id, completion: completion)
    }

    /// Lets go of who holds live preferences: they know those whom they hold them for.
    func stop() {
        directory.removeProviders()
    }

    /// Whether an application has declared any.
    func hasDeclarations(_ id: ApplicationID) -> Bool { directory.hasDeclarations(id) }

    /// The preferences of an application.
    func book(of id: ApplicationID) -> PreferenceBook {
        directory.book(of: id)
    }

    /// The interface of an application's object.
    func interface(of application: KnownApplication) -> any InterfaceImplementation {
        Preferences1Implementation(
            PreferencesObject(directory.book(of: application.id), callers: callers, limits: limits))
    }

    /// The values in force of an application as JSON, without sensitive ones.
    func document(of id: ApplicationID) -> JSONValue {
        .object(directory.book(of: id).shownValues.map { ($0.key.text, $0.value.json) })
    }

    /// What is not valid of what is kept, for people.
    var warnings: [String] { directory.warnings }

    /// Takes note of what an instance was started with that has come or gone.
    func launchChanged(_ application: KnownApplication) {
        var values: [Name: PreferenceValue?] = [:]
        for (key, value) in application.launch ?? [:] {
            do throws(SentinelError) {
                values[try Name(key.text, as: "key")] = .some(value.preference)
            } catch {
                // A registration holds no such key.
                continue
            }
        }
        directory.book(of: application.id).setLaunch(values, origin: application.id.text)
    }

    /// Lets go of an application that has been forgotten.
    func forget(_ id: ApplicationID) {
        directory.forget(id)
    }

    private func announce(_ book: PreferenceBook, _ changes: PreferenceChanges) {
        let objects = connection.objects
        let path: ObjectPath
        do throws(DBusError) {
            path = try ApplicationObjects.path(of: book.id)
        } catch {
            return log.error("no path for the application \(book.id): \(error)")
        }
        if !changes.removed.isEmpty {
            objects.emit(Preferences1.Removed(keys: changes.removed.map(\.text)), from: path)
        }
        if !changes.declared.isEmpty {
            objects.emit(Preferences1.Declared(keys: changes.declared.map(\.text)), from: path)
        }
        if !changes.removed.isEmpty || !changes.declared.isEmpty {
            declarationsChanged?(book.id)
        }
        let properties: [Preferences1.Property] =
            (changes.hasOtherProfile ? [.profile] : []) + (changes.hasOtherProfiles ? [.profiles] : [])
        if !properties.isEmpty {
            objects.propertiesChanged(properties, of: Preferences1.self, at: path)
        }
        if !changes.changed.isEmpty {
            let values = changes.values.map { (Key($0.key.text), Value($0.value)) }
            objects.emit(
                Preferences1.Changed(
                    keys: changes.changed.map(\.text), values: Dictionary(uniqueKeysWithValues: values)), from: path)
            valuesChanged?(book.id, changes.changed)
        }
        if !changes.removed.isEmpty, !book.hasDeclarations {
            registry.keptChanged()
        }
    }

    private func setAlarm(_ time: Timestamp?) {
        if !alarm.set(time) {
            log.error("an override of a preference ends late: there is no timer to be had")
        }
    }
}
