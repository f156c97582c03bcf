// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence
import SentinelPreferences

/// Declares what the manifest of an application says, in place of what one said before.
///
/// Confined to the loop's thread.
final class ManifestDeclarations: @unchecked Sendable {
    private let tools: ToolDirectory
    private let preferences: PreferenceService
    private let files: FileSettings
    private let settings: GSettings
    private let live: LivePreferenceDirectory
    private let triggers: TriggerDirectory
    private let home: String?

    init(
        tools: ToolDirectory, preferences: PreferenceService, files: FileSettings, settings: GSettings,
        live: LivePreferenceDirectory, triggers: TriggerDirectory, home: String?
    ) {
        self.tools = tools
        self.preferences = preferences
        self.files = files
        self.settings = settings
        self.live = live
        self.triggers = triggers
        self.home = home
    }

    /// Told when what ``problems(of:)`` tells has changed.
    var problemsChanged: (() -> Void)? {
        get { settings.problemsChanged }
        set { settings.problemsChanged = newValue }
    }

    /// What keeps values from being read that a manifest says to be elsewhere, for people.
    func problems(of id: ApplicationID) -> [String] { settings.problems(of: id) }

    /// Whether an application has something of a manifest.
    func hasAny(_ application: KnownApplication) -> Bool {
        tools.tools(of: application).contains { $0.origin == .manifest }
            || preferences.book(of: application.id).hasManifestDeclarations
            || triggers.triggers(of: application.id).contains { $0.manifestPlan != nil }
    }

    /// Declares what a manifest says; nothing for nil.
    ///
    /// - Parameter refused: told why something cannot be declared.
    func take(
        _ manifest: Manifest?, of application: KnownApplication, refused: @escaping @Sendable (SentinelError) -> Void
    ) {
        let report: @Sendable (Result<Void, SentinelError>) -> Void = { result in
            if case .failure(let error) = result {
                refused(error)
            }
        }
        tools.takeManifest(manifest?.tools ?? [], of: application, completion: report)
        takeTriggers(manifest?.triggers ?? [], of: application, refused)
        let declared = manifest?.preferences ?? []
        nonisolated(unsafe) let application = application
        let book = preferences.book(of: application.id)
        book.declareManifest(declared.map(\.declaration), origin: application.id.text) { [self] result in
            if case .success = result {
                // What the application has declared itself under the same keys is the application's.
                let own = declared.filter { book.isOfManifest($0.declaration.key) }
                files.bind(fileBindings(of: own, refused), of: application.id)
                settings.bind(settingsBindings(of: own), of: application.id)
                live.renew(application)
            }
            report(result)
        }
    }

    private func takeTriggers(
        _ declared: [TriggerDeclaration], of application: KnownApplication, _ refused: (SentinelError) -> Void
    ) {
        let expanded = declared.compactMap { $0.expanding(home: home) }
        if expanded.count < declared.count {
            refused(SentinelError(.unavailable, "triggers: there is no home directory"))
        }
        do throws(SentinelError) {
            try triggers.takeManifest(expanded, of: application)
        } catch {
            refused(SentinelError(error.code, "triggers: \(error.message)", underlying: error))
        }
    }

    private func fileBindings(
        of preferences: [Manifest.Preference], _ refused: (SentinelError) -> Void
    ) -> [Name: FileSettings.Binding] {
        var bindings: [Name: FileSettings.Binding] = [:]
        for preference in preferences {
            let key = preference.declaration.key
            guard case .file(let path, let format, let name) = preference.storage else { continue }
            guard let path = absolute(path) else {
                refused(SentinelError(.unavailable, "preference \(key): there is no home directory"))
                continue
            }
            bindings[key] = FileSettings.Binding(
                path: path, format: format, key: name, fallback: preference.declaration.defaultValue)
        }
        return bindings
    }

    private func settingsBindings(of preferences: [Manifest.Preference]) -> [Name: GSettings.Binding] {
        var bindings: [Name: GSettings.Binding] = [:]
        for preference in preferences {
            guard case .gsettings(let schema, let key) = preference.storage else { continue }
            let declaration = preference.declaration
            bindings[declaration.key] = GSettings.Binding(
                key: GSettingsKey(schema: schema, key: key), example: declaration.defaultValue,
                isSensitive: declaration.isMarked(.sensitive))
        }
        return bindings
    }

    private func absolute(_ path: String) -> String? {
        guard path.utf8.starts(with: "~/".utf8) else { return path }
        return home.map { "\($0)\(path.dropFirst())" }
    }
}
