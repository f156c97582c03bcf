// SPDX-License-Identifier: MIT

public import SentinelModels
import SentinelPersistence

/// A change of a layer, from the history.
public struct PreferenceChange: Sendable {
    /// Its number, which only grows.
    public let number: Int64
    /// When.
    public let time: Timestamp
    /// Key of the preference.
    public let key: Name
    /// Who made it.
    public let origin: String
    /// The layer that changed.
    public let layer: String
    /// Whether the values are kept out of it.
    public let isMasked: Bool
    /// The value before; nil for none.
    public let old: PreferenceValue?
    /// The value afterwards; nil for none.
    public let new: PreferenceValue?

    init(_ row: StoredChange, isMasked: Bool) {
        number = row.number
        time = row.time
        key = row.key
        origin = row.origin
        layer = row.layer
        self.isMasked = isMasked
        old = isMasked ? nil : row.old.flatMap(PreferenceValue.init(document:))
        new = isMasked ? nil : row.new.flatMap(PreferenceValue.init(document:))
    }
}
