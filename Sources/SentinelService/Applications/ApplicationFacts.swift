// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// `org.sentinel.Application1` of one application.
final class ApplicationFacts: Application1Handler {
    private let application: KnownApplication

    init(_ application: KnownApplication) {
        self.application = application
    }

    var id: String { application.id.text }
    var name: String { application.name }
    var icon: String { application.record.icon }
    var version: String { application.record.version }
    var build: String { application.record.build }
    var running: Bool { application.isRunning }
    var processID: UInt32 { application.processID }

    var instances: [ApplicationInstance] {
        application.instances.reversed().map { instance in
            ApplicationInstance(
                uniqueName: instance.client.text, processID: instance.processID,
                attributes: instance.registration.attributes)
        }
    }

    var executable: String { get throws(DBusError) { throw Self.absence } }
    var commandLine: [String] { get throws(DBusError) { throw Self.absence } }
    var startTime: Int64 { get throws(DBusError) { throw Self.absence } }
    var desktopEntry: String { get throws(DBusError) { throw Self.absence } }
    var sandbox: String { get throws(DBusError) { throw Self.absence } }
    var unit: String { get throws(DBusError) { throw Self.absence } }
    var localizations: [String] { get throws(DBusError) { throw Self.absence } }
    var locale: String { get throws(DBusError) { throw Self.absence } }

    func content(reply: Reply<[Section]>) {
        reply.fail(Self.absence)
    }

    private static let absence = DBusError(.notSupported, "process facts are not there yet in this version")
}
