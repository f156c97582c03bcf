// SPDX-License-Identifier: MIT

public import SentinelModels

/// All that is kept of an application's preferences but their history.
public struct StoredPreferences: Sendable {
    /// A declaration.
    public struct Declaration: Sendable {
        /// Key of the preference.
        public var key: Name
        /// Its place among the application's, ascending.
        public var position: Int64
        /// The declaration as JSON text.
        public var document: String
        /// What kind of declarer it has.
        public var source: String
        /// Who declared it.
        public var origin: String
        /// When.
        public var time: Timestamp

        /// A declaration of these parts.
        public init(
            key: Name, position: Int64, document: String, source: String, origin: String, time: Timestamp
        ) {
            self.key = key
            self.position = position
            self.document = document
            self.source = source
            self.origin = origin
            self.time = time
        }
    }

    /// A value that was set.
    public struct Value: Hashable, Sendable {
        /// The value as JSON text.
        public var document: String
        /// Who set it.
        public var origin: String
        /// When.
        public var time: Timestamp
        /// When it ends; nil for one that stays.
        public var end: Timestamp?

        /// A value of these parts.
        public init(document: String, origin: String, time: Timestamp, end: Timestamp? = nil) {
            self.document = document
            self.origin = origin
            self.time = time
            self.end = end
        }
    }

    /// The declarations in their order.
    public var declarations: [Declaration] = []
    /// The values that stay.
    public var stored: [Name: Value] = [:]
    /// The values that end by themselves.
    public var temporary: [Name: Value] = [:]
    /// The profiles with their values.
    public var profiles: [Name: [Name: Value]] = [:]
    /// The profile that is applied.
    public var appliedProfile: Name?

    /// Nothing.
    public init() {}
}
