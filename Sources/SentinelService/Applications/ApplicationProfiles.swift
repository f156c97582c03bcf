// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// Keeps what files and processes tell of applications as it was when their newest instance registered, or when
/// somebody last asked for it: properties are answered from that and wait for nothing.
///
/// Confined to the loop's thread.
final class ApplicationProfiles: @unchecked Sendable {
    private let reader: FactsReader
    private let changed: (KnownApplication, [Application1.Property]) -> Void
    /// What is told of an application before anything was read.
    private let unread: ApplicationProfile
    /// What is being renewed, with what is to be renewed after it.
    private var renewals: [ApplicationID: Renewal] = [:]
    /// The number of readings that are under way.
    private var pending: [ApplicationID: Int] = [:]
    /// The number of readings that have been begun.
    private var begun: UInt64 = 0

    private struct Renewal {
        /// What has changed meanwhile; another one of the id if that was forgotten.
        var next: KnownApplication?
    }

    /// `changed` is told the properties that have other values than before.
    init(
        _ reader: FactsReader, sessionLocale: String,
        changed: @escaping (KnownApplication, [Application1.Property]) -> Void
    ) {
        self.reader = reader
        self.changed = changed
        unread = ApplicationProfile(sessionLocale: sessionLocale)
    }

    /// Whether something is being read.
    var isReading: Bool { !pending.isEmpty }

    /// What is known of an application, at once. Where nothing was read yet, as of one of an earlier run that nobody has
    /// asked for, that is begun, and `changed` tells of it.
    func current(_ application: KnownApplication) -> ApplicationProfile {
        if application.profile == nil, pending[application.id] == nil {
            renew(application)
        }
        return application.profile ?? unread
    }

    /// Has the facts of an application gathered anew. What changes while that is under way is seen to once, after it:
    /// instances that come and go faster than files are read leave no queue behind.
    func renew(_ application: KnownApplication) {
        let id = application.id
        guard renewals[id] == nil else {
            renewals[id]?.next = application
            return
        }
        renewals[id] = Renewal()
        refresh(application) { [self] _ in
            if let next = renewals.removeValue(forKey: id)?.next {
                renew(next)
            }
        }
    }

    /// Gathers the facts of an application anew.
    func refresh(_ application: KnownApplication, completion: @escaping (ProcessProfile) -> Void) {
        let processID = application.processID
        pending[application.id, default: 0] += 1
        begun += 1
        let number = begun
        nonisolated(unsafe) let application = application
        nonisolated(unsafe) let completion = completion
        reader.profile(of: application.id, processID: processID) { [self] facts in
            let left = (pending[application.id] ?? 1) - 1
            pending[application.id] = left > 0 ? left : nil
            // Another instance may have come while this was read; its own profile is on the way. Readings are not over
            // in the order in which they are begun.
            if application.processID == processID, application.profileNumber < number {
                application.profileNumber = number
                take(
                    ApplicationProfile(facts, processID: processID, sessionLocale: unread.locale), for: application)
            }
            completion(facts)
        }
    }

    private func take(_ profile: ApplicationProfile, for application: KnownApplication) {
        let earlier = application.profile ?? unread
        application.profile = profile
        var properties: [Application1.Property] = []
        if Self.differ(profile.desktopEntry, earlier.desktopEntry) { properties.append(.desktopEntry) }
        if profile.sandbox != earlier.sandbox { properties.append(.sandbox) }
        if Self.differ(profile.unit, earlier.unit) { properties.append(.unit) }
        if profile.localizations != earlier.localizations { properties.append(.localizations) }
        if profile.locale != earlier.locale { properties.append(.locale) }
        if !properties.isEmpty {
            changed(application, properties)
        }
    }

    /// Whether texts differ in their bytes, which Swift's strings may do and be equal.
    private static func differ(_ left: String, _ right: String) -> Bool {
        !left.utf8.elementsEqual(right.utf8)
    }
}
