// SPDX-License-Identifier: MIT

/// How severe a log message is; the numbers and names of `syslog(3)`, as systemd writes them.
public enum LogLevel: Int, CaseIterable, Sendable {
    case emergency
    case alert
    case critical
    case error
    case warning
    case notice
    case info
    case debug

    /// The level of a name such as `warning`; nil for an unknown one.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    /// The name that `systemctl service-log-level` uses.
    public var name: String {
        switch self {
        case .emergency: "emerg"
        case .alert: "alert"
        case .critical: "crit"
        case .error: "err"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// All names, the most severe first, for messages.
    public static var allNames: String {
        allCases.map(\.name).joined(separator: ", ")
    }
}
