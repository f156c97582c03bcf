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
    private let live: LivePreferenceDirectory
    private let home: String?

    init(
        tools: ToolDirectory, preferences: PreferenceService, files: FileSettings, live: LivePreferenceDirectory,
        home: String?
    ) {
        self.tools = tools
        self.preferences = preferences
        self.files = files
        self.live = live
        self.home = home
    }

    /// Whether an application has something of a manifest.
    func hasAny(_ application: KnownApplication) -> Bool {
        tools.tools(of: application).contains { $0.origin == .manifest }
            || preferences.book(of: application.id).hasManifestDeclarations
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
        let declared = manifest?.preferences ?? []
        nonisolated(unsafe) let application = application
        let book = preferences.book(of: application.id)
        book.declareManifest(declared.map(\.declaration), origin: application.id.text) { [self] result in
            if case .success = result {
                // What the application has declared itself under the same keys is the application's.
                let keys = book.manifestKeys
                let own = declared.filter { keys.contains($0.declaration.key) }
                files.bind(bindings(of: own, refused), of: application.id)
                live.renew(application)
            }
            report(result)
        }
    }

    private func bindings(
        of preferences: [Manifest.Preference], _ refused: (SentinelError) -> Void
    ) -> [Name: FileSettings.Binding] {
        var bindings: [Name: FileSettings.Binding] = [:]
        for preference in preferences {
            let key = preference.declaration.key
            switch preference.storage {
            case nil: break
            case .gsettings:
                refused(
                    SentinelError(
                        .notSupported, "preference \(key): storage in GSettings is not there yet in this version"))
            case .file(let path, let format, let name):
                guard let path = absolute(path) else {
                    refused(SentinelError(.unavailable, "preference \(key): there is no home directory"))
                    continue
                }
                bindings[key] = FileSettings.Binding(
                    path: path, format: format, key: name, fallback: preference.declaration.defaultValue)
            }
        }
        return bindings
    }

    private func absolute(_ path: String) -> String? {
        guard path.utf8.starts(with: "~/".utf8) else { return path }
        return home.map { "\($0)\(path.dropFirst())" }
    }
}
