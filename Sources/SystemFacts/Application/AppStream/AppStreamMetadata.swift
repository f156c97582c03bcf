// SPDX-License-Identifier: MIT

public import SentinelModels

/// What an application's AppStream metadata says (AppStream Specification, "Upstream Metadata").
///
/// Texts for people are in the locale that was asked for where there is a translation.
public struct AppStreamMetadata: Sendable {
    /// A published version.
    public struct Release: Hashable, Sendable {
        /// Version, as the application writes it.
        public let version: String
        /// Day of publication, `YYYY-MM-DD`.
        public let date: String?
        /// Whether it is for the public, not a development version.
        public let isStable: Bool
    }

    /// A language of the application's texts.
    public struct Language: Hashable, Sendable {
        /// The language.
        public let locale: LocaleName
        /// How much is translated, 0 … 100; nil where that is not said.
        public let percentage: Int?
    }

    /// Absolute path of the file.
    public let path: String
    /// Id of the component.
    public let id: String
    /// Sort of component, such as `desktop-application`.
    public let type: String?
    /// Name of the application.
    public let name: String?
    /// A short sentence about it.
    public let summary: String?
    /// Who makes it.
    public let developer: String?
    /// Licence of the application, an SPDX expression.
    public let projectLicense: String?
    /// Licence of the metadata.
    public let metadataLicense: String?
    /// The newest stable release by its date, the newest of all where none is stable.
    public let latestRelease: Release?
    /// Addresses, by sort: `homepage`, `bugtracker`, ….
    public let addresses: [String: String]
    /// Id of the system of its content rating, such as `oars-1.1`.
    public let contentRating: String?
    /// Domains of its translations with gettext.
    public let gettextDomains: [String]
    /// Languages that it says it has, sorted.
    public let languages: [Language]

    /// Where a file may lie below a data directory; the last is that of old files.
    private static func names(for id: ApplicationID) -> [String] {
        ["metainfo/\(id).metainfo.xml", "metainfo/\(id).appdata.xml", "appdata/\(id).appdata.xml"]
    }

    /// Finds the metadata of an application: the user's before the system's. A file that is damaged makes way for the
    /// next.
    /// - Throws: `absent`, or what is wrong with the first file if none is right.
    public static func find(
        _ id: ApplicationID, in directories: DataDirectories, locales: [LocaleName]
    ) throws(FactError) -> AppStreamMetadata {
        var first: FactError?
        for directory in directories.paths {
            for name in names(for: id) {
                do throws(FactError) {
                    return try read("\(directory)/\(name)", of: id, locales: locales)
                } catch {
                    first = first ?? (error.code == .absent ? nil : error)
                }
            }
        }
        throw first ?? FactError(.absent, "there is no AppStream metadata of that id")
    }

    private static func read(
        _ path: String, of id: ApplicationID, locales: [LocaleName]
    ) throws(FactError) -> AppStreamMetadata {
        let bytes = try SmallFile.read(path, limit: XMLReader.maximumByteCount)
        let component: AppStreamComponent
        do throws(XMLReader.Failure) {
            component = try AppStreamComponent(bytes)
        } catch {
            throw FactError(.malformed, "line \(error.line): \(error.reason)", path: path)
        }
        let names = [id.text, "\(id).desktop"]
        guard let own = component.id, names.contains(own) || component.otherIDs.contains(where: names.contains) else {
            throw FactError(.malformed, "it describes another component", path: path)
        }
        return AppStreamMetadata(component, id: own, path: path, locales: locales)
    }

    private init(_ component: AppStreamComponent, id: String, path: String, locales: [LocaleName]) {
        self.path = path
        self.id = id
        type = component.type
        name = component.name.text(for: locales)
        summary = component.summary.text(for: locales)
        developer = component.developer.text(for: locales) ?? component.developerName.text(for: locales)
        projectLicense = component.projectLicense
        metadataLicense = component.metadataLicense
        latestRelease = component.latestRelease
        addresses = component.addresses
        contentRating = component.contentRating
        gettextDomains = component.gettextDomains
        languages = component.languages.map { Language(locale: $0.key, percentage: $0.value) }
            .sorted { $0.locale < $1.locale }
    }
}
