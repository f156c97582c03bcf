// SPDX-License-Identifier: MIT

/// What is kept of an application that has registered.
public struct ApplicationRecord: Hashable, Sendable {
    /// Id that it registered with.
    public let id: ApplicationID

    /// Name for people, empty where the application gave none.
    public var name: String

    /// Icon name of the icon theme, or path; empty where the application gave none.
    public var icon: String

    /// Version for people, empty where the application gave none.
    public var version: String

    /// Build for developers, empty where the application gave none.
    public var build: String

    /// When the application registered for the first time.
    public var firstSeen: Timestamp

    /// When the application was last known to run.
    public var lastSeen: Timestamp

    /// A record of an application.
    public init(
        id: ApplicationID, name: String = "", icon: String = "", version: String = "", build: String = "",
        firstSeen: Timestamp, lastSeen: Timestamp
    ) {
        self.id = id
        self.name = name
        self.icon = icon
        self.version = version
        self.build = build
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
    }

    /// This record, the newer one, with what it leaves open taken from another of the same application.
    public func completed(by older: ApplicationRecord) -> ApplicationRecord {
        var record = self
        record.name = name.isEmpty ? older.name : name
        record.icon = icon.isEmpty ? older.icon : icon
        record.version = version.isEmpty ? older.version : version
        record.build = build.isEmpty ? older.build : build
        record.firstSeen = min(firstSeen, older.firstSeen)
        record.lastSeen = max(lastSeen, older.lastSeen)
        return record
    }
}
