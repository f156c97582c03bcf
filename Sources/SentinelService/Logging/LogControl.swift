// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces

/// `org.freedesktop.LogControl1`: the log level at run time.
final class LogControl: LogControl1Handler {
    private let log: Log
    private let levelChanged: () -> Void

    init(_ log: Log, levelChanged: @escaping () -> Void) {
        self.log = log
        self.levelChanged = levelChanged
    }

    var logLevel: String { log.level.name }

    /// The journal reads what is written to the console of a unit.
    var logTarget: String { "console" }

    var syslogIdentifier: String { Log.identifier }

    func setLogLevel(_ value: String, reply: Reply<>) {
        guard let level = LogLevel(name: value) else {
            return reply.fail(
                DBusError(.invalidArgs, "not a log level; allowed are \(LogLevel.allNames)"))
        }
        if level != log.level {
            log.level = level
            levelChanged()
        }
        reply()
    }

    func setLogTarget(_ value: String, reply: Reply<>) {
        guard value == logTarget || value == "auto" else {
            return reply.fail(
                DBusError(.invalidArgs, "the log goes to standard error; allowed are console and auto"))
        }
        reply()
    }
}
