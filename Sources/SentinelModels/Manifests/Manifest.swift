// SPDX-License-Identifier: MIT

/// What a manifest says: an application that is declared without code.
public struct Manifest: Sendable {
    /// What the application is called; what an instance says of itself counts more.
    public struct Description: Hashable, Sendable {
        /// Name for people.
        public var name: String?
        /// Icon name, or absolute path of a picture.
        public var icon: String?
        /// Version for people.
        public var version: String?
        /// Build for developers.
        public var build: String?

        /// Nothing said.
        public init() {}
    }

    /// One preference.
    public struct Preference: Sendable {
        /// The declaration; one whose value is not in the service is live.
        public let declaration: PreferenceDeclaration
        /// Where the value is, if not in the service.
        public let storage: ManifestStorage?
    }

    /// Whose manifest it is.
    public let application: ApplicationID
    /// What the application is called.
    public let description: Description
    /// The preferences in order.
    public let preferences: [Preference]
    /// The tools in order.
    public let tools: [Tool]
    /// The triggers in order.
    public let triggers: [TriggerDeclaration]
    /// The places of members that mean nothing.
    public let unknownMembers: [String]
}

/// Where the value of a preference is that the service does not keep itself.
public enum ManifestStorage: Hashable, Sendable {
    /// How a file holds values.
    public enum FileFormat: String, CaseIterable, Sendable {
        /// One JSON object; a key is the path to a member.
        case json
        /// Groups of keys with values (`.ini`, key files).
        case ini
        /// Assignments, one a line, as in `environment.d(5)`.
        case env
    }

    /// A key of a schema of GSettings.
    case gsettings(schema: String, key: String)
    /// A key in a file; the path is absolute or begins with `~/`.
    case file(path: String, format: FileFormat, key: String)
}
