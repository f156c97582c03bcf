// SPDX-License-Identifier: MIT

/// Why a fact of the system cannot be had.
public struct FactError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of reason. More may come in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for people.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The process has ended, or there is none of that number.
        public static let processGone = Code("process gone")
        /// This process may not read it.
        public static let denied = Code("denied")
        /// This machine, its kernel or this process has no such thing.
        public static let absent = Code("absent")
        /// It is there but is not what its documentation says.
        public static let malformed = Code("malformed")
        /// The system refused for another reason, such as too many open files.
        public static let failed = Code("failed")
    }

    /// Kind of reason. Compare this one.
    public let code: Code

    /// What was wrong. Begins lower-case; holds nothing of what was read.
    public let message: String

    /// A reason of a kind, with a message for its reader.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message in one line, for logs.
    public var description: String {
        "\(code): \(message)"
    }
}

/// A fact, or why it cannot be had.
public typealias Fact<Value> = Result<Value, FactError>

extension Result {
    /// The fact; nil where it cannot be had.
    public var value: Success? {
        switch self {
        case .success(let value): value
        case .failure: nil
        }
    }

    /// Why the fact cannot be had; nil where it is there.
    public var error: Failure? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }

}

extension Result where Failure == FactError {
    /// The fact that `read` gives, or why it gives none.
    init(reading read: () throws(FactError) -> Success) {
        do {
            self = .success(try read())
        } catch {
            self = .failure(error)
        }
    }
}
