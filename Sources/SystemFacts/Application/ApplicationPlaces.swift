// SPDX-License-Identifier: MIT

/// Where metadata of applications is looked for, and in which language.
public struct ApplicationPlaces: Sendable {
    /// Data directories, the user's first.
    public var dataDirectories: DataDirectories
    /// Directories of commands without a path.
    public var searchPath: [String]
    /// Locales in which texts for people are wanted, the best first.
    public var locales: [LocaleName]
    /// Where snaps are mounted.
    public var snapDirectories: [String]

    /// The places of a session's environment: `XDG_DATA_HOME`, `XDG_DATA_DIRS`, `HOME`, `PATH` and the variables of its
    /// locale.
    public init(environment: [String: String]) {
        dataDirectories = DataDirectories(environment: environment)
        searchPath = DataDirectories.absolutePaths(in: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
        locales = MessageLocale(environment: environment).preferred
        snapDirectories = SnapFacts.defaultDirectories
    }
}
