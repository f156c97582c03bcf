// SPDX-License-Identifier: MIT

/// How the service runs.
public struct ServiceConfiguration: Sendable {
    /// The address of the bus; nil for the session bus.
    public var address: String?
    /// The directory of the database; nil for `sentinel` in `XDG_DATA_HOME`.
    public var dataDirectory: String?
    /// Whether a service that runs already is taken over from.
    public var replaces: Bool
    /// The least severe level that is logged.
    public var logLevel: LogLevel

    /// Makes a configuration with these values.
    public init(
        address: String? = nil, dataDirectory: String? = nil, replaces: Bool = false, logLevel: LogLevel = .info
    ) {
        self.address = address
        self.dataDirectory = dataDirectory
        self.replaces = replaces
        self.logLevel = logLevel
    }
}
