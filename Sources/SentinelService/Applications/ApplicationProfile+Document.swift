// SPDX-License-Identifier: MIT

import SentinelModels

extension ApplicationProfile {
    /// The facts as members of a JSON object, with the names of the properties; what cannot be had is left out.
    ///
    /// - Parameter current: the process of the newest instance; facts of another one are left out.
    func members(of current: UInt32) -> [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = []
        func add(_ key: String, _ text: String) {
            if !text.isEmpty {
                members.append((key, .string(text)))
            }
        }
        func add(_ key: String, _ texts: [String]) {
            if !texts.isEmpty {
                members.append((key, .array(texts.map(JSONValue.string))))
            }
        }
        if processID != 0, processID == current {
            add("executable", executable)
            add("command_line", commandLine)
            if startTime != 0 {
                members.append(("start_time", .integer(startTime)))
            }
            add("unit", unit)
            add("sandbox", sandbox)
        }
        add("desktop_entry", desktopEntry)
        add("localizations", localizations)
        add("locale", locale)
        return members
    }
}
