// SPDX-License-Identifier: MIT

/// The variables that choose the language of a process, as its environment had them at its start (`/proc/PID/environ`,
/// proc(5); locale(7)). What the process has set since does not show.
public struct LocaleVariables: Hashable, Sendable {
    /// `LANG`, `LANGUAGE` and those that begin with `LC_`, with their values.
    public let variables: [String: String]

    /// The locale of messages, such as `de_DE.UTF-8`: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and
    /// not empty, else `C` (setlocale(3)).
    public var messages: String {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            if let value = variables[name], !value.isEmpty { return value }
        }
        return "C"
    }

    /// The variables of a whole file. Of one that is there twice the first counts, as for getenv(3).
    init(_ file: ByteScanner) {
        var scanner = file
        var variables: [String: String] = [:]
        while var variable = scanner.next(before: 0) {
            guard variable.rest.starts(with: "LANG".utf8) || variable.rest.starts(with: "LC_".utf8),
                let name = variable.next(before: UInt8(ascii: "="))?.text,
                name.hasPrefix("LC_") || name == "LANG" || name == "LANGUAGE", variables[name] == nil
            else { continue }
            variables[name] = variable.text
        }
        self.variables = variables
    }
}
