// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// `org.sentinel.Application1` of one application.
final class ApplicationFacts: Application1Handler {
    private let application: KnownApplication
    private let profiles: ApplicationProfiles

    init(_ application: KnownApplication, profiles: ApplicationProfiles) {
        self.application = application
        self.profiles = profiles
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

    var executable: String { application.profile?.executablePath ?? "" }
    var commandLine: [String] { application.profile?.commandLine ?? [] }
    var startTime: Int64 { application.profile?.startTime ?? 0 }
    var desktopEntry: String { application.profile?.desktopEntryID ?? "" }
    var sandbox: String { application.profile?.sandboxName ?? "" }
    var unit: String { application.profile?.unitName ?? "" }
    var localizations: [String] { application.profile?.localizationNames ?? [] }
    var locale: String { application.profile?.localeName ?? "" }

    func content(reply: Reply<[Section]>) {
        profiles.refresh(application) { [application] profile in
            reply(ApplicationScreen.sections(application, profile))
        }
    }
}
