// SPDX-License-Identifier: MIT

/// Where the user's desktop puts pictures of the screen.
///
/// That is `XDG_SCREENSHOTS_DIR`, which some desktops have, else `Screenshots` in the folder for pictures
/// (`XDG_PICTURES_DIR`, else `Pictures` in the home directory). Both variables are those of `user-dirs.dirs`, else those
/// of the environment. A desktop that has another folder of its own accord, such as one that is named in the user's
/// language, is told of it by nobody.
public struct ScreenshotFolder: Sendable {
    private static let mostBytes = 64 << 10

    /// Absolute path of `user-dirs.dirs(5)`, whether or not it is there; nil where the environment has neither a home
    /// directory nor one for settings.
    public let settingsPath: String?

    private let home: String?
    private let variables: [String: String]

    /// Takes the environment of a session. Nothing is read yet.
    public init(environment: [String: String]) {
        home = environment["HOME"].flatMap(DataDirectories.normalized)
        let settings =
            environment["XDG_CONFIG_HOME"].flatMap(DataDirectories.normalized) ?? home.map { "\($0)/.config" }
        settingsPath = settings.map { "\($0)/user-dirs.dirs" }
        variables = environment
    }

    /// The folder's absolute path without a slash at its end, whether or not it is there; the settings are read anew.
    ///
    /// Settings that cannot be read count as none, as they do for desktops.
    ///
    /// - Returns: the path, or `absent` where nothing names a folder.
    public func locate() -> Fact<String> {
        let settings = readSettings()
        if let folder = directory("XDG_SCREENSHOTS_DIR", settings) { return .success(folder) }
        if let pictures = directory("XDG_PICTURES_DIR", settings) { return .success("\(pictures)/Screenshots") }
        if let home { return .success("\(home)/Pictures/Screenshots") }
        return .failure(FactError(.absent, "HOME is not set to an absolute path"))
    }

    /// Whether a file is a picture by its name; one whose name begins with `.` is hidden, or still being written.
    public static func isPicture(name: String) -> Bool {
        guard name.utf8.first != UInt8(ascii: "."), name.utf8.contains(UInt8(ascii: ".")) else { return false }
        return extensions.contains(PathName.lastElement(of: name))
    }

    /// What programs that take pictures of the screen write.
    private static let extensions: Set<String> = [
        "avif", "bmp", "gif", "heic", "heif", "jpeg", "jpg", "jxl", "png", "ppm", "tif", "tiff", "webp",
    ]

    private func readSettings() -> ShellAssignments? {
        guard let settingsPath else { return nil }
        do throws(FactError) {
            return ShellAssignments(try SmallFile.readText(settingsPath, limit: Self.mostBytes))
        } catch {
            return nil
        }
    }

    /// The directory that a variable names.
    private func directory(_ variable: String, _ settings: ShellAssignments?) -> String? {
        settings?[variable].flatMap(expanded) ?? variables[variable].flatMap(usable)
    }

    /// A directory of the settings: an absolute path, or one below the home directory.
    private func expanded(_ value: String) -> String? {
        guard value == "$HOME" || value.begins(with: "$HOME/") else { return usable(value) }
        return home.flatMap { usable($0 + String(Substring(value.utf8.dropFirst("$HOME".utf8.count)))) }
    }

    /// A path that names a directory for something: that it is the home directory is how `xdg-user-dirs` says that there
    /// is none.
    private func usable(_ path: String) -> String? {
        guard let path = DataDirectories.normalized(path), path != home, !path.isEmpty else { return nil }
        return path
    }
}
