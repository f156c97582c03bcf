// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelInterfaces
import SentinelModels
import SentinelPersistence
import SystemFacts

/// The objects of `org.sentinel` with the modules behind them, and the signals that tell of their changes.
///
/// Confined to the loop's thread.
final class ServiceObjects: @unchecked Sendable {
    private static let logControlPath: ObjectPath = "/org/freedesktop/LogControl1"

    /// Knows the facts of the machine; it has to be started.
    let device: DeviceMonitor

    private let connection: Connection
    private let registry: ApplicationRegistry
    private let store: Store
    private let log: Log
    private let reader: FactsReader
    private let performance: PerformanceDirectory
    /// The locale for messages in which the session's texts are.
    private let sessionLocale: String
    private lazy var profiles = ApplicationProfiles(reader, sessionLocale: sessionLocale) {
        [weak self] application, properties in
        self?.announce(application, .updated(properties))
    }
    private lazy var applications = ApplicationObjects(registry, profiles: profiles, performance: performance)

    init(connection: Connection, registry: ApplicationRegistry, store: Store, log: Log) {
        self.connection = connection
        self.registry = registry
        self.store = store
        self.log = log
        let environment = processEnvironment()
        sessionLocale = MessageLocale(environment: environment).name
        reader = FactsReader(loop: connection.loop, places: ApplicationPlaces(environment: environment))
        performance = PerformanceDirectory(connection: connection, reader: reader)
        device = DeviceMonitor(on: connection.loop, systemBus: Self.systemBus(log))
    }

    /// Offers all objects, and has changes announced from now on.
    func export() {
        let objects = connection.objects
        let peers = PeerDirectory(connection)
        let gate = AccessGate(peers: peers, policy: AccessPolicy(userID: getuid()))
        objects.gate = { gate.admit($0, interface: $1, $2) }

        let front = ServiceObject(
            registry: registry, peers: peers, state: ServiceState(store: store, device: device, profiles: profiles),
            inspector: ProcessInspector(registry: registry, reader: reader, loop: connection.loop))
        let own: [any InterfaceImplementation] = [
            Sentinel1Implementation(front),
            Device1Implementation(DeviceObject(device)),
            AbsentInterface(Events1.description),
            AbsentInterface(Analytics1.description),
        ]
        objects.export(
            ExportedObject(
                own + applications.interfaces(of: registry.service, at: ServiceObject.path), managesObjects: true),
            at: ServiceObject.path)
        objects.export(applications, below: ApplicationObjects.root)
        let logControl = LogControl(log) { [weak objects] in
            objects?.propertiesChanged([.logLevel], of: LogControl1.self, at: Self.logControlPath)
        }
        objects.export(ExportedObject([LogControl1Implementation(logControl)]), at: Self.logControlPath)
        followChanges()
    }

    private func followChanges() {
        registry.changed = { [weak self] application, change in self?.announce(application, change) }
        device.onChange = { [weak objects = connection.objects] kinds in
            objects?.propertiesChanged(
                kinds.compactMap(Device1.Property.init), of: Device1.self, at: ServiceObject.path)
        }
        store.onHealthChange { [weak objects = connection.objects, loop = connection.loop] _ in
            loop.enqueue { [weak objects] in
                objects?.propertiesChanged([.health, .healthDetails], of: Sentinel1.self, at: ServiceObject.path)
            }
        }
        profiles.refresh(registry.service)
    }

    private func announce(_ application: KnownApplication, _ change: ApplicationRegistry.Change) {
        let objects = connection.objects
        // What is read of an application may come when it has been forgotten, or another has its id.
        if case .updated = change, registry.find(application.id) !== application { return }
        do {
            let path = try ApplicationObjects.path(of: application.id)
            switch change {
            case .added:
                profiles.refresh(application)
                objects.objectAdded(at: path)
            case .updated(let properties):
                if properties.contains(.processID) {
                    profiles.refresh(application)
                }
                objects.propertiesChanged(properties, of: Application1.self, at: path)
            case .removed:
                performance.forget(application.id)
                objects.objectRemoved(at: path, interfaces: applications.release(application))
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
