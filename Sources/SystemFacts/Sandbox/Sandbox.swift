// SPDX-License-Identifier: MIT

/// What confines a process.
public enum Sandbox: Hashable, Sendable {
    /// Nothing that is known here.
    case none
    /// Flatpak, with the application's id.
    case flatpak(application: String)
    /// Snap, with the snap's name.
    case snap(name: String)
    /// Something that keeps its own facts from us.
    case unidentified

    /// The id of the confined application: for Flatpak its own, for Snap `snap.NAME` as xdg-desktop-portal has it.
    public var applicationID: String? {
        switch self {
        case .none, .unidentified: nil
        case .flatpak(let application): application
        case .snap(let name): "snap.\(name)"
        }
    }
}
