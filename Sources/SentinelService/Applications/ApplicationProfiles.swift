// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SystemFacts

/// Keeps what files and processes tell of applications as it was when their newest instance registered, or when
/// somebody last asked for it: properties are answered from that and wait for nothing.
///
/// Confined to the loop's thread.
final class ApplicationProfiles: @unchecked Sendable {
    private let reader: FactsReader
    private let changed: (KnownApplication, [Application1.Property]) -> Void

    /// `changed` is told the properties that have other values than before.
    init(_ reader: FactsReader, changed: @escaping (KnownApplication, [Application1.Property]) -> Void) {
        self.reader = reader
        self.changed = changed
    }

    /// Gathers the facts of an application anew.
    func refresh(
        _ application: KnownApplication, completion: @escaping (ProcessProfile) -> Void = { _ in }
    ) {
        let processID = application.processID
        nonisolated(unsafe) let application = application
        nonisolated(unsafe) let completion = completion
        reader.profile(of: application.id, processID: processID) { [self] profile in
            // Another instance may have come while this was read; its own profile is on the way.
            if application.processID == processID {
                take(profile, for: application)
            }
            completion(profile)
        }
    }

    private func take(_ profile: ProcessProfile, for application: KnownApplication) {
        let earlier = application.profile
        application.profile = profile
        var properties: [Application1.Property] = []
        if profile.desktopEntryID != earlier?.desktopEntryID ?? "" { properties.append(.desktopEntry) }
        if profile.sandboxName != earlier?.sandboxName ?? "" { properties.append(.sandbox) }
        if profile.unitName != earlier?.unitName ?? "" { properties.append(.unit) }
        if profile.localizationNames != earlier?.localizationNames ?? [] { properties.append(.localizations) }
        if profile.localeName != earlier?.localeName ?? "" { properties.append(.locale) }
        if !properties.isEmpty {
            changed(application, properties)
        }
    }
}

/// The facts as `org.sentinel.Application1` publishes them; a text that cannot be had is empty.
extension ProcessProfile {
    var executablePath: String { status?.value?.executable.value?.path ?? "" }
    var commandLine: [String] { status?.value?.commandLine.value?.arguments ?? [] }
    var startTime: Int64 { status?.value?.startTime.value ?? 0 }
    var desktopEntryID: String { metadata?.desktopEntry.value?.id ?? "" }
    var sandboxName: String { metadata?.sandbox.value?.name.flatMap { $0 } ?? "" }
    var unitName: String { status?.value?.controlGroup.value?.unit?.name ?? "" }
    var localizationNames: [String] { metadata?.localizations.map(\.description) ?? [] }
    var localeName: String { metadata?.locale?.name ?? "" }
}
