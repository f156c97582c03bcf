// SPDX-License-Identifier: MIT

/// How a store fares.
public struct StoreHealth: Hashable, Sendable {
    /// Whether it does what it was opened for.
    public enum State: String, Sendable {
        /// It does.
        case ok
        /// It lost data, or cannot keep what it is given at the moment; the details say why.
        case degraded
    }

    /// One thing to know.
    public struct Detail: Hashable, Sendable {
        /// What it is about, lower-case with underscores.
        public let key: String
        /// What there is to say, for people.
        public let value: String

        /// A detail about a key.
        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Whether all is well.
    public var state: State

    /// What there is to know, most important first. Keys:
    /// - `storage`: `memory` or `read-only` where the database cannot be used as it should
    /// - `storage_error`: why it cannot, or what went wrong with the last write
    /// - `damage`: what was wrong with a database that was set aside
    /// - `damaged_file`: where it is now
    /// - `salvaged_applications`: how many applications could be read from it
    /// - `salvaged_events`: how many events could be read from it, once they are
    public var details: [Detail]

    /// A health with its details.
    public init(state: State, details: [Detail] = []) {
        self.state = state
        self.details = details
    }

    /// The value of a detail, nil where there is none of that key.
    public subscript(key: String) -> String? {
        details.first { $0.key == key }?.value
    }
}
