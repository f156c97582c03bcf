// SPDX-License-Identifier: MIT

public import SentinelModels

/// A trigger of an application as it is kept.
public struct StoredTrigger: Equatable, Sendable {
    /// Its id, unique among those of all applications.
    public let id: Name
    /// Whose trigger it is.
    public let application: ApplicationID
    /// What it waits for, and what it does then.
    public let declaration: TriggerDeclaration
    /// Where it stands among all; positions need not follow each other closely.
    public let position: Int64

    /// A trigger of an application.
    public init(id: Name, application: ApplicationID, declaration: TriggerDeclaration, position: Int64) {
        self.id = id
        self.application = application
        self.declaration = declaration
        self.position = position
    }
}
