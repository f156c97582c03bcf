// SPDX-License-Identifier: MIT

import Glibc
import SentinelModels

/// Where the service keeps its data, and looks for what its user has configured (XDG Base Directory Specification).
enum DataDirectory {
    /// The directory `sentinel` in `XDG_CONFIG_HOME`, else in `.config` in the home directory; nil if no home directory
    /// is known.
    static func configuration(environment: (String) -> String?) -> String? {
        if let directory = environment("XDG_CONFIG_HOME"), directory.hasPrefix("/") {
            return "\(directory)/sentinel"
        }
        return home(environment).map { "\($0)/.config/sentinel" }
    }

    /// The directory `sentinel` in `XDG_DATA_HOME`, else in `.local/share` in the home directory.
    ///
    /// - Throws: code `unavailable` if no home directory is known.
    static func standard(environment: (String) -> String?) throws(SentinelError) -> String {
        // The specification has relative paths ignored.
        if let directory = environment("XDG_DATA_HOME"), directory.hasPrefix("/") {
            return "\(directory)/sentinel"
        }
        guard let home = home(environment) else {
            throw SentinelError(
                .unavailable,
                "no data directory: neither XDG_DATA_HOME nor HOME is an absolute path; give one with --data-dir")
        }
        return "\(home)/.local/share/sentinel"
    }

    private static func home(_ environment: (String) -> String?) -> String? {
        [environment("HOME"), homeOfUser()].compactMap { $0 }.first { $0.hasPrefix("/") }
    }

    private static func homeOfUser() -> String? {
        getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
    }
}
