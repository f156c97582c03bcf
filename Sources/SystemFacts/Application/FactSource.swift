// SPDX-License-Identifier: MIT

/// Where a fact comes from.
public enum FactSource: Hashable, Sendable, CustomStringConvertible {
    /// The desktop entry at a path.
    case desktopEntry(path: String)
    /// The AppStream metadata at a path.
    case appStream(path: String)
    /// The `.flatpak-info` of the process's sandbox.
    case flatpakInfo
    /// The `snap.yaml` at a path.
    case snapMetadata(path: String)
    /// What the system tells of the process: its security label, or variables that fit its executable.
    case sandbox
    /// A variable of the process's environment.
    case environment(variable: String)
    /// Catalogues of gettext, and names in the desktop entry.
    case translations

    /// The source for a reader.
    public var description: String {
        switch self {
        case .desktopEntry(let path): "desktop entry \(path)"
        case .appStream(let path): "AppStream metadata \(path)"
        case .flatpakInfo: ".flatpak-info of the sandbox"
        case .snapMetadata(let path): "snap metadata \(path)"
        case .sandbox: "sandbox of the process"
        case .environment(let variable): "variable \(variable) of the process"
        case .translations: "installed translations"
        }
    }
}
