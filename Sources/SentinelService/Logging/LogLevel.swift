// SPDX-License-Identifier: MIT

/// How severe a log message is; the numbers and names of `syslog(3)`, as systemd writes them.
public enum LogLevel: Int, CaseIterable, Sendable {
    /// The system cannot be used.
    case emergency
    /// Somebody must act at once.
    case alert
    /// Something that others depend on has failed.
    case critical
    /// Something that was asked for is not done.
    case error
    /// Something is got by without.
    case warning
    /// Something rare that is no fault.
    case notice
    /// What is done.
    case info
    /// What helps to find a fault.
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
