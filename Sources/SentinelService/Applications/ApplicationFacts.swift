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
    var icon: String { application.icon }
    var version: String { application.version }
    var build: String { application.build }
    var running: Bool { application.isRunning }
    var processID: UInt32 { application.processID }

    var instances: [ApplicationInstance] {
        application.instances.reversed().map { instance in
            ApplicationInstance(
                uniqueName: instance.client.text, processID: instance.processID,
                attributes: instance.registration.attributes)
        }
    }

    var executable: String { process?.executable ?? "" }
    var commandLine: [String] { process?.commandLine ?? [] }
    var startTime: Int64 { process?.startTime ?? 0 }
    var desktopEntry: String { profile.desktopEntry }
    var sandbox: String { profile.sandbox }
    var unit: String { profile.unit }
    var localizations: [String] { profile.localizations }
    var locale: String { profile.locale }

    private var profile: ApplicationProfile { profiles.current(application) }

    /// What is known of the process that `processID` tells: nothing until the newest instance's has been read, rather
    /// than another's.
    private var process: ApplicationProfile? {
        let profile = profile
        return profile.processID == application.processID ? profile : nil
    }

    func content(reply: Reply<[Section]>) {
        profiles.refresh(application) { [application] profile in
            reply(ApplicationScreen.sections(application, profile))
        }
    }
}
