// SPDX-License-Identifier: MIT

/// Programs whose executable tells nothing of the application that they run.
enum Interpreter {
    private static let names: Set<String> = [
        "bash", "bun", "busybox", "bwrap", "dash", "deno", "dotnet", "electron", "env", "fish", "flatpak", "gjs",
        "gjs-console", "guile", "java", "ksh", "lua", "luajit", "mono", "mono-sgen", "node", "nodejs", "perl", "php",
        "pkexec",
        "pypy", "pypy3", "python", "qml", "qmlscene", "ruby", "sh", "snap", "sudo", "swift", "tclsh", "wine", "wine64",
        "wine-preloader", "wine64-preloader", "wish", "xdg-dbus-proxy", "zsh",
    ]

    /// Whether a path is that of an interpreter or launcher; versions as in `python3.11` do not count.
    static func isOne(_ executable: String) -> Bool {
        let name = PathName.last(of: executable).lowercased()
        guard !names.contains(name) else { return true }
        var stem = name.utf8[...]
        while let last = stem.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last) || ".-".utf8.contains(last) {
            stem = stem.dropLast()
        }
        return names.contains(String(Substring(stem)))
    }
}
