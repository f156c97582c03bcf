// SPDX-License-Identifier: MIT

/// What is known of a snap.
public struct SnapFacts: Sendable {
    /// Where snaps are mounted: on Debian and Ubuntu, on Fedora.
    public static let defaultDirectories = ["/snap", "/var/lib/snapd/snap"]

    /// Name of the installed instance, such as `firefox` or `firefox_second`.
    public let name: String
    /// Revision that the process runs (`SNAP_REVISION`).
    public let revision: String?
    /// Version, from `meta/snap.yaml`, else `SNAP_VERSION`.
    public let version: String?
    /// Name for people (`title`).
    public let title: String?
    /// A short sentence about it.
    public let summary: String?
    /// `strict`, `classic` or `devmode`.
    public let confinement: String?
    /// Absolute path of the `snap.yaml` that was read; nil where none could be.
    public let path: String?
    /// Why there is none of that; nil where there is.
    public let absence: FactError?

    /// The facts of a snap, and of a process of it.
    ///
    /// The revision that the process runs is read (`/snap/NAME/REVISION/meta/snap.yaml`), else the one in force
    /// (`current`). `SNAP_…` variables are taken only where they name that snap and the executable lies in it: children
    /// that are no part of a snap inherit them.
    /// - Parameters:
    ///   - name: the snap's name, from the security label.
    ///   - directories: where snaps are mounted.
    /// - Throws: `refused` where the name is none.
    public init(
        _ name: String, process: ObservedProcess?, directories: [String] = SnapFacts.defaultDirectories
    ) throws(FactError) {
        guard SnapName.isValid(name) else { throw FactError(.refused, "the name of the snap is not valid") }
        let environment = process.map { Self.environment(of: $0, name, directories) } ?? [:]
        let revision = environment["SNAP_REVISION"].flatMap { Self.isRevision($0) ? $0 : nil }
        let (path, found) = Self.read(name, revision, directories)
        self.name = name
        self.revision = revision
        var values: [String: String] = [:]
        switch found {
        case .success(let metadata):
            values = metadata.values
            self.path = path
            absence = nil
        case .failure(let failure):
            self.path = nil
            absence = failure
        }
        version =
            values["version"]
            ?? environment["SNAP_VERSION"].flatMap {
                $0.utf8.count <= SnapMetadata.maximumValueByteCount ? $0 : nil
            }
        title = values["title"]
        summary = values["summary"]
        confinement = values["confinement"]
    }

    /// Name of the snap that a process belongs to, as its environment and the place of its executable tell; for systems
    /// without AppArmor, whose labels tell it otherwise.
    static func name(of process: ObservedProcess, directories: [String]) -> String? {
        guard let name = process.environment["SNAP_INSTANCE_NAME"] ?? process.environment["SNAP_NAME"],
            let executable = process.executable,
            SnapName.isExecutable(executable, of: name, directories: directories)
        else { return nil }
        return name
    }

    private static func environment(
        of process: ObservedProcess, _ name: String, _ directories: [String]
    ) -> [String: String] {
        self.name(of: process, directories: directories) == name ? process.environment : [:]
    }

    private static func isRevision(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 16 && text.utf8.allSatisfy(\.isASCIIAlphanumeric)
    }

    private static func read(
        _ name: String, _ revision: String?, _ directories: [String]
    ) -> (path: String, Fact<SnapMetadata>) {
        var failure = FactError(.absent, "the snap is not mounted")
        for directory in directories {
            for version in (revision.map { [$0] } ?? []) + ["current"] {
                let path = "\(directory)/\(name)/\(version)/meta/snap.yaml"
                do throws(FactError) {
                    let text = try SmallFile.readText(path, limit: SnapMetadata.maximumByteCount)
                    return (path, .success(SnapMetadata(text)))
                } catch {
                    failure = error.code == .absent ? failure : error
                }
            }
        }
        return ("", .failure(failure))
    }
}
