// SPDX-License-Identifier: MIT

/// Why something that an application declares cannot be taken: where in the declaration, and what is wrong.
public struct DeclarationProblem: Error, Sendable, CustomStringConvertible {
    /// The place, such as `tools[0].sections[1].items[2].min`.
    public let path: String
    /// What is wrong. Begins lower-case and repeats no values.
    public let reason: String
    /// `invalidArgs`, or `limitsExceeded`.
    public let code: SentinelError.Code

    /// A problem at a place.
    public init(_ path: String, _ reason: String, code: SentinelError.Code = .invalidArgs) {
        self.path = path
        self.reason = reason
        self.code = code
    }

    /// Place and reason.
    public var description: String { "\(path): \(reason)" }

    /// The problem as a caller hears of it.
    public var error: SentinelError { SentinelError(code, description, underlying: self) }
}
