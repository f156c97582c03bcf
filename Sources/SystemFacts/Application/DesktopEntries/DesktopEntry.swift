// SPDX-License-Identifier: MIT

/// What a desktop entry says of an application (Desktop Entry Specification, "Recognized desktop entry keys").
///
/// Texts for people are in the locale that was asked for where there is a translation.
public struct DesktopEntry: Sendable {
    /// Desktop file id without `.desktop`: the path below `applications`, with `-` for `/`.
    public let id: String
    /// Absolute path of the file.
    public let path: String
    /// Name of the application.
    public let name: String?
    /// What sort of application it is, such as "Web Browser".
    public let genericName: String?
    /// A sentence about it.
    public let comment: String?
    /// Icon name of the icon theme, or absolute path of a picture.
    public let icon: String?
    /// Command with its arguments, field codes removed; empty where there is none, or it is not valid.
    public let exec: [String]
    /// Program whose absence means that the application is not installed.
    public let tryExec: String?
    /// Categories of the Desktop Menu Specification.
    public let categories: [String]
    /// Words to find it by.
    public let keywords: [String]
    /// Types of files that it opens.
    public let mimeTypes: [String]
    /// Class of the windows that it opens first.
    public let startupWMClass: String?
    /// Whether it is started by a call to its bus name.
    public let isDBusActivatable: Bool
    /// Whether menus leave it out.
    public let isNoDisplay: Bool
    /// Whether it wants a terminal.
    public let needsTerminal: Bool
    /// Domain of its translations (`X-GNOME-Gettext-Domain`, `X-Ubuntu-Gettext-Domain`).
    public let gettextDomain: String?
    /// Flatpak application that exports it (`X-Flatpak`).
    public let flatpakID: String?
    /// Snap that it belongs to (`X-SnapInstanceName`).
    public let snapName: String?
    /// Locales for which it has a name, sorted.
    public let locales: [LocaleName]
    /// Lines of the file that were skipped or overridden.
    public let problems: [KeyFileProblem]

    /// The longest text that is taken, in bytes; more is no name, and no path either.
    static let maximumTextByteCount = 4096
    /// The longest command.
    static let maximumCommandByteCount = 64 << 10
    /// How many elements of a list are taken.
    static let maximumElementCount = 1000

    /// Name of the group that is read.
    static let group = "Desktop Entry"

    /// What a key file says.
    /// - Throws: `malformed` where it is not the entry of an application, `hidden`.
    init(_ file: KeyFile, id: String, path: String, locales wanted: [LocaleName]) throws(FactError) {
        guard file.groups.contains(Self.group) else {
            throw FactError(.malformed, "it has no group 'Desktop Entry'", path: path)
        }
        func text(_ key: String) -> String? {
            file.text(key, in: Self.group).flatMap { Self.isTaken($0) ? $0 : nil }
        }
        func translated(_ key: String) -> String? {
            file.text(key, in: Self.group, for: wanted).flatMap { Self.isTaken($0) ? $0 : nil }
        }
        func list(_ key: String, for locales: [LocaleName] = []) -> [String] {
            let elements = file.list(key, in: Self.group, for: locales) ?? []
            return Array(elements.lazy.filter(Self.isTaken).prefix(Self.maximumElementCount))
        }
        func flag(_ key: String) -> Bool {
            file.flag(key, in: Self.group) ?? false
        }
        // Hidden means that the user has removed it: then nothing else in the file counts.
        guard !flag("Hidden") else { throw FactError(.hidden, "the desktop entry is hidden", path: path) }
        guard text("Type") == "Application" else {
            throw FactError(.malformed, "the type of the desktop entry is not 'Application'", path: path)
        }
        self.id = id
        self.path = path
        name = translated("Name")
        genericName = translated("GenericName")
        comment = translated("Comment")
        icon = translated("Icon")
        exec = file.text("Exec", in: Self.group).flatMap(Self.command) ?? []
        tryExec = text("TryExec")
        categories = list("Categories")
        keywords = list("Keywords", for: wanted)
        mimeTypes = list("MimeType")
        startupWMClass = text("StartupWMClass")
        isDBusActivatable = flag("DBusActivatable")
        isNoDisplay = flag("NoDisplay")
        needsTerminal = flag("Terminal")
        gettextDomain = text("X-GNOME-Gettext-Domain") ?? text("X-Ubuntu-Gettext-Domain")
        flatpakID = text("X-Flatpak")
        snapName = text("X-SnapInstanceName")
        locales = file.locales(of: "Name", in: Self.group).filter { !$0.isPrivate }
        problems = file.problems
    }

    private static func isTaken(_ text: String) -> Bool {
        (1...maximumTextByteCount).contains(text.utf8.count)
    }

    private static func command(_ text: String) -> [String]? {
        text.utf8.count <= maximumCommandByteCount ? ExecLine.arguments(of: text) : nil
    }
}
