// SPDX-License-Identifier: MIT

public import SentinelModels

/// A call that has changed something, or was to.
public struct AuditEntry: Hashable, Sendable {
    /// When it came.
    public let time: Timestamp
    /// Who called: an application's id, a program's name, or a name on the bus.
    public let caller: String
    /// The path of the object.
    public let object: String
    /// Interface and member.
    public let member: String

    /// An entry.
    public init(time: Timestamp, caller: String, object: String, member: String) {
        self.time = time
        self.caller = caller
        self.object = object
        self.member = member
    }
}
