// SPDX-License-Identifier: MIT

/// Where data of applications lies (XDG Base Directory Specification).
public struct DataDirectories: Hashable, Sendable {
    /// Absolute paths without a slash at the end, the strongest first: the user's, then the system's.
    public let paths: [String]

    /// Directories at given places. Paths that are not absolute are left out, as the specification wants it.
    public init(paths: [String]) {
        var seen: Set<String> = []
        self.paths = paths.compactMap(Self.normalized).filter { seen.insert($0).inserted }
    }

    /// The directories of an environment: `XDG_DATA_HOME` (`$HOME/.local/share`), then those of `XDG_DATA_DIRS`
    /// (`/usr/local/share:/usr/share`).
    public init(environment: [String: String]) {
        let home =
            environment["XDG_DATA_HOME"].flatMap(Self.normalized)
            ?? environment["HOME"].flatMap(Self.normalized).map { "\($0)/.local/share" }
        var system = Self.absolutePaths(in: environment["XDG_DATA_DIRS"] ?? "")
        if system.isEmpty {
            system = ["/usr/local/share", "/usr/share"]
        }
        self.init(paths: (home.map { [$0] } ?? []) + system)
    }

    /// The absolute paths of a list with `:` between.
    static func absolutePaths(in list: String) -> [String] {
        list.utf8.split(separator: UInt8(ascii: ":")).prefix(64).compactMap {
            normalized(String(decoding: $0, as: UTF8.self))
        }
    }

    /// A path without slashes at its end; nil where it is not absolute.
    static func normalized(_ path: String) -> String? {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < 4096, !path.utf8.contains(0) else { return nil }
        var bytes = path.utf8[...]
        while bytes.last == UInt8(ascii: "/") {
            bytes = bytes.dropLast()
        }
        return String(Substring(bytes))
    }
}
