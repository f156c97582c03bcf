// SPDX-License-Identifier: MIT

public import SentinelModels

/// What a preference has on one side and on another; nil is unset.
public struct PreferenceDifference: Hashable, Sendable {
    /// Key of the preference.
    public let key: Name
    /// The value on the one side, or before.
    public let old: PreferenceValue?
    /// The value on the other side, or afterwards.
    public let new: PreferenceValue?
}
