// SPDX-License-Identifier: MIT

import SentinelModels

extension ServicePreferences {
    /// Declares `LogLevel`, which is one state with the property of `org.freedesktop.LogControl1`.
    ///
    /// - Parameter levelChanged: told when it was changed here.
    func addLogLevel(_ log: Log, levelChanged: @escaping () -> Void) {
        var attributes = PreferenceAttributes()
        attributes.section = "Log"
        attributes.description = "The least severe messages that go to the journal"
        attributes.choices = LogLevel.allCases.map { PreferenceChoice(.text($0.name), title: $0.name) }
        let backing = Backing(
            read: { .text(log.level.name) },
            write: { value, completion in
                if case .text(let name) = value, let level = LogLevel(name: name), level != log.level {
                    log.level = level
                    levelChanged()
                }
                completion(.success(()))
            })
        add("LogLevel", "Log level", .text(LogLevel.info.name), attributes, backing)
    }

    /// Tells that the log level was changed elsewhere.
    func logLevelChanged() {
        changed(["LogLevel"])
    }
}
