// SPDX-License-Identifier: MIT

/// A failure as a caller of Sentinel hears of it, over the bus or in a library.
public struct SentinelError: Error, Sendable, CustomStringConvertible {
    /// Kind of failure. Compare this one.
    public let code: Code

    /// What was wrong, what is allowed and what to do. Begins lower-case; holds no secrets and no payloads.
    public let message: String

    /// The failure that led to this one.
    public let underlying: (any Error)?

    /// An error of a kind, with a message for its reader.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Bus name and message in one line, for logs.
    public var description: String {
        "\(code.busName): \(message)"
    }
}
