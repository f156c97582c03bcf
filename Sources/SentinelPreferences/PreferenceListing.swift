// SPDX-License-Identifier: MIT

public import SentinelModels

/// A preference as it is listed.
public struct PreferenceListing: Sendable {
    /// What was declared.
    public let declaration: PreferenceDeclaration
    /// The value in force, for a live preference the last known one; the default where none is known.
    public let value: PreferenceValue
    /// Whether the value of a live preference may no longer hold.
    public let isStale: Bool
    /// The layer that the value comes from.
    public let layer: PreferenceLayer

    /// Whether the value is not the default.
    public var isModified: Bool { value != declaration.defaultValue }
}
