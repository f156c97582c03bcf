// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelAnalytics
import SentinelInterfaces
import SentinelModels
import SentinelPersistence
import SystemFacts

/// The objects of `org.sentinel` with the modules behind them, and the signals that tell of their changes.
///
/// Confined to the loop's thread.
final class ServiceObjects: @unchecked Sendable {
    private static let logControlPath: ObjectPath = "/org/freedesktop/LogControl1"

    let device: DeviceMonitor
    /// Follows the session, for what is captured of it.
    private let session: SessionMonitor

    private let connection: Connection
    private let registry: ApplicationRegistry
    private let store: Store
    private let log: Log
    private let reader: FactsReader
    private let performance: PerformanceDirectory
    private let tools: ToolDirectory
    private let link: ProviderLink
    private lazy var manifests = ManifestCatalog(
        DataDirectories(environment: environment), limits: limits.values.manifests, registry: registry,
        declarations: ManifestDeclarations(
            tools: tools, preferences: preferences, files: files, settings: settings, live: live,
            triggers: triggers.directory, home: environment["HOME"]),
        loop: connection.loop, log: log
    ) { [weak self] in self?.announceHealth([.healthDetails]) }
    private lazy var metrics = MetricFiles(
        MetricFiles.directories(environment: environment), loop: connection.loop, log: log
    ) { [weak self] in self?.announceHealth([.healthDetails]) }
    private lazy var analytics = AnalyticsObject(
        Analytics(store: store, zones: ZoneDatabase { DeviceFiles().timeZoneName }), metrics: metrics,
        reads: events.reads, transfers: events.transfers, loop: connection.loop)
    private let environment: [String: String]
    private let limits: LimitsFile
    private let peers: PeerDirectory
    private let events: EventsObject
    private let preferences: PreferenceService
    private let files: FileSettings
    private let settings: GSettings
    private let live: LivePreferenceDirectory
    private let audit: AuditLog
    private let triggers: TriggerService
    private var loggedHealth = StoreHealth(state: .ok)
    /// The locale for messages in which the session's texts are.
    private let sessionLocale: String
    private lazy var profiles = ApplicationProfiles(reader, sessionLocale: sessionLocale) {
        [weak self] application, properties in
        self?.announce(application, .updated(properties))
    }
    private lazy var applications = ApplicationObjects(
        registry, profiles: profiles, performance: performance, tools: tools, serviceTools: serviceTools, link: link,
        preferences: preferences)
    private lazy var databaseChange = DatabaseChange(
        registry: registry, tools: tools, preferences: preferences, triggers: triggers.directory, audit: audit, log: log
    ) { [weak self] in self?.manifests.databaseChanged() }
    private lazy var serviceTools = ServiceTools([
        EventsTool(events), AuditTool(audit), CrashesTool(loop: connection.loop),
        SettingsTool(preferences.book(of: .sentinel)),
    ])
    private(set) lazy var presentations = PresentationService(
        connection: connection, registry: registry,
        menus: PresentationMenus(preferences: preferences, tools: tools, serviceTools: serviceTools, link: link),
        log: log)

    init(connection: Connection, registry: ApplicationRegistry, store: Store, limits: LimitsFile, log: Log) {
        self.connection = connection
        self.registry = registry
        self.store = store
        self.limits = limits
        self.log = log
        environment = processEnvironment()
        sessionLocale = MessageLocale(environment: environment).name
        reader = FactsReader(loop: connection.loop, places: ApplicationPlaces(environment: environment))
        performance = PerformanceDirectory(connection: connection, reader: reader)
        tools = ToolDirectory(
            store: store, registry: registry, connection: connection, limits: limits.values.tools, log: log)
        link = ProviderLink(connection, limits: limits.values.grantedToProviders)
        let systemBus = Self.systemBus(log)
        device = DeviceMonitor(on: connection.loop, systemBus: systemBus)
        session = SessionMonitor(on: connection.loop, systemBus: systemBus)
        peers = PeerDirectory(connection)
        events = EventsObject(connection: connection, registry: registry, peers: peers, store: store, log: log)
        let callers = CallerNames(registry: registry, peers: peers)
        preferences = PreferenceService(
            connection: connection, registry: registry, store: store, callers: callers, log: log,
            limits: limits.values.preferences)
        files = FileSettings(on: connection.loop, log: log)
        settings = GSettings(
            on: connection.loop, log: log, schemaDirectories: GSettings.schemaDirectories(environment: environment))
        audit = AuditLog(store: store, loop: connection.loop, callers: callers, log: log)
        live = LivePreferenceDirectory(preferences, link: link, storages: [files, settings])
        triggers = TriggerService(
            connection: connection, registry: registry, peers: peers, store: store, session: session,
            capture: events.capture, environment: environment, limit: limits.values.triggers, log: log)
        registry.isKept = { [weak preferences, weak tools, weak triggers = triggers.directory] id in
            preferences?.hasDeclarations(id) == true || tools?.hasDeclarations(id) == true
                || triggers?.hasDeclarations(id) == true
        }
    }

    /// Takes in what applications have declared in earlier runs, or of another service that this one takes over from.
    ///
    /// - Throws: why the store cannot be read.
    func loadDeclarations() throws(SentinelError) {
        try preferences.load()
        try tools.load()
        try triggers.directory.load()
        try audit.load()
        registry.keptChanged()
    }

    /// Offers all objects, and has changes announced from now on.
    ///
    /// - Parameter handover: what keeps calls back while they have to wait.
    func export(holding handover: Handover) {
        let objects = connection.objects
        let gate = AccessGate(peers: peers, policy: AccessPolicy(userID: getuid()))
        objects.gate = { [audit] call, interface, proceed in
            handover.admit {
                gate.admit(call, interface: interface) {
                    audit.note(call, interface: interface)
                    proceed()
                }
            }
        }

        let front = ServiceObject(
            registry: registry, peers: peers,
            state: ServiceState(
                store: store, limitFindings: limits.findings, device: device, profiles: profiles, events: events,
                manifests: manifests, metrics: metrics, tools: tools, serviceTools: serviceTools,
                preferences: preferences, triggers: triggers.calls),
            inspector: ProcessInspector(registry: registry, reader: reader, loop: connection.loop),
            presentations: presentations, triggers: triggers.calls)
        let own: [any InterfaceImplementation] = [
            Sentinel1Implementation(front),
            Device1Implementation(DeviceObject(device)),
            Events1Implementation(events),
            Analytics1Implementation(analytics),
        ]
        objects.export(
            ExportedObject(
                own + applications.interfaces(of: registry.service, at: ServiceObject.path), managesObjects: true),
            at: ServiceObject.path)
        objects.export(applications, below: ApplicationObjects.root)
        exportLogControl()
        followChanges()
    }

    private func exportLogControl() {
        let levelChanged = { [weak objects = connection.objects] in
            objects?.propertiesChanged([.logLevel], of: LogControl1.self, at: Self.logControlPath)
        }
        let logControl = LogControl(log) { [own = preferences.own] in
            levelChanged()
            own.logLevelChanged()
        }
        connection.objects.export(ExportedObject([LogControl1Implementation(logControl)]), at: Self.logControlPath)
        preferences.own.addLogLevel(log, levelChanged: { levelChanged() })
        preferences.own.addRecording(events.settings)
    }

    /// Begins to record, once the service before has ended.
    ///
    /// - Parameters:
    ///   - limit: how long the disk is waited for.
    ///   - completion: called once when what the service before has left is settled, or the time is over.
    func beginRecording(limit: Duration, completion: @escaping @Sendable () -> Void) {
        events.begin(limit: limit, completion: completion)
        session.onEvent = { [weak events, weak triggers] event in
            events?.capture.note(event)
            triggers?.take(event)
        }
        session.start()
    }

    /// Begins to watch for the causes of triggers.
    func watchTriggers() {
        triggers.start()
    }

    /// A signal has been sent to the process that triggers may wait for.
    func take(_ signal: TriggerCause.UnixSignal) {
        triggers.take(signal)
    }

    /// Ends what would keep calls waiting for long, and what is presented.
    func endWaiting() {
        presentations.stop()
        events.transfers.cancelAll()
        events.reads.end()
    }

    /// Reads the manifests and the metrics, and watches for others.
    func readDeclaredFiles() {
        manifests.start()
        metrics.start()
    }

    /// Hands to the store what waits to be stored together.
    func save() {
        audit.save()
    }

    /// Lets go of the system bus, and of what is watched.
    func stop() {
        device.stop()
        session.stop()
        triggers.stop()
        preferences.stop()
        manifests.stop()
        metrics.stop()
        files.stop()
        settings.stop()
        serviceTools.stop()
        reader.stop()
        registry.stop()
    }

    private func followChanges() {
        registry.changed = { [weak self] application, change in self?.announce(application, change) }
        triggers.toggle = { [weak presentations = presentations] in presentations?.toggle($0) }
        device.onChange = { [weak objects = connection.objects] kinds in
            objects?.propertiesChanged(
                kinds.compactMap(Device1.Property.init), of: Device1.self, at: ServiceObject.path)
        }
        let settingsChanged: ([Name]) -> Void = { [weak objects = connection.objects] keys in
            objects?.emit(
                Tools1.ItemChanged(tool: SettingsTool.id, items: keys.sorted().map(\.text)), from: ServiceObject.path)
        }
        preferences.declarationsChanged = { [weak presentations = presentations] in
            presentations?.preferencesChanged($0)
        }
        tools.changed = { [weak presentations = presentations] in presentations?.toolsChanged($0) }
        preferences.valuesChanged = { [capture = events.capture, weak presentations = presentations] id, keys in
            presentations?.preferencesChanged(id)
            // Its own say what is recorded: that is no activity, and would be there where nothing is to be.
            guard id != .sentinel else { return settingsChanged(keys) }
            capture.note(.preferenceChange, of: id, keys.map { ["key": .text($0.text)] })
        }
        events.settingsFollower = { [own = preferences.own] in own.recordingChanged() }
        preferences.warningsChanged = { [weak self] in self?.announceHealth([.healthDetails]) }
        device.onMissingServicesChange = { [weak self] in self?.announceHealth([.healthDetails]) }
        store.onDatabaseChange { [weak self, loop = connection.loop] in
            loop.enqueue { [weak self] in
                guard let self else { return }
                events.databaseChanged()
                databaseChange.begin()
            }
        }
        events.settings.faultsChanged = { [weak self] in self?.announceHealth([.healthDetails]) }
        store.onHealthChange { [weak self, loop = connection.loop] health in
            loop.enqueue { [weak self] in self?.healthChanged(health) }
        }
        logHealth(store.health)
        profiles.renew(registry.service)
    }

    private func healthChanged(_ health: StoreHealth) {
        logHealth(health)
        announceHealth([.health, .healthDetails])
        if health.state == .ok {
            manifests.storageRecovered()
        }
    }

    private func announceHealth(_ properties: [Sentinel1.Property]) {
        connection.objects.propertiesChanged(properties, of: Sentinel1.self, at: ServiceObject.path)
    }

    /// Says in the log how the storage fares when that has changed: `HealthDetails` is gone with the next start.
    private func logHealth(_ health: StoreHealth) {
        guard health != loggedHealth else { return }
        loggedHealth = health
        switch health.state {
        case .ok:
            log.notice("the storage is well again")
        case .degraded:
            let details = health.details.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
            log.warning("the storage is degraded: \(details)")
        }
    }

    private func announce(_ application: KnownApplication, _ change: ApplicationRegistry.Change) {
        let objects = connection.objects
        // What is read of an application may come when it has been forgotten, or another has its id.
        if case .updated = change, registry.find(application.id) !== application { return }
        do {
            let path = try ApplicationObjects.path(of: application.id)
            switch change {
            case .added:
                profiles.renew(application)
                live.renew(application)
                objects.objectAdded(at: path)
            case .updated(let properties):
                if properties.contains(.instances) {
                    live.renew(application)
                }
                if properties.contains(.processID) {
                    profiles.renew(application)
                }
                objects.propertiesChanged(properties, of: Application1.self, at: path)
            case .launched:
                preferences.launchChanged(application)
            case .removed:
                presentations.forget(application.id)
                performance.forget(application.id)
                tools.forget(application.id)
                triggers.forget(application.id)
                preferences.forget(application.id)
                live.forget(application.id)
                objects.objectRemoved(at: path, interfaces: applications.release(application))
                manifests.restore(application.id)
            }
        } catch {
            log.error("no path for the application \(application.id): \(error)")
        }
    }

    private static func systemBus(_ log: Log) -> BusAddress? {
        do {
            return try .system()
        } catch {
            log.warning("the address of the system bus cannot be used: \(error)")
            return nil
        }
    }
}
