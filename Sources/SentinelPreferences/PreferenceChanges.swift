// SPDX-License-Identifier: MIT

public import SentinelModels

/// What others are told once something has been done with an application's preferences.
public struct PreferenceChanges: Sendable {
    /// The keys whose values in force have changed, in declared order.
    public internal(set) var changed: [Name] = []
    /// The new values of those that everybody may see.
    public internal(set) var values: [Name: PreferenceValue] = [:]
    /// The keys that were declared, or whose declaration has changed.
    public internal(set) var declared: [Name] = []
    /// The keys that were removed.
    public internal(set) var removed: [Name] = []
    /// Whether another profile is applied.
    public internal(set) var hasOtherProfile = false
    /// Whether there are other profiles.
    public internal(set) var hasOtherProfiles = false

    /// Whether there is nothing to tell.
    public var isEmpty: Bool {
        changed.isEmpty && declared.isEmpty && removed.isEmpty && !hasOtherProfile && !hasOtherProfiles
    }
}
