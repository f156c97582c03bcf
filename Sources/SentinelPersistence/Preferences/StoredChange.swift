// SPDX-License-Identifier: MIT

public import SentinelModels

/// A change of a layer, as the history keeps it.
public struct StoredChange: Hashable, Sendable {
    /// Its number, which only grows.
    public var number: Int64
    /// Key of the preference.
    public var key: Name
    /// When.
    public var time: Timestamp
    /// Who made it.
    public var origin: String
    /// The layer that changed.
    public var layer: String
    /// The profile that was applied.
    public var profile: Name?
    /// The value before as JSON text; nil for none.
    public var old: String?
    /// The value afterwards as JSON text; nil for none.
    public var new: String?
    /// When the override ends or was to end.
    public var end: Timestamp?

    /// A change of these parts; the store gives the number.
    public init(
        number: Int64 = 0, key: Name, time: Timestamp, origin: String, layer: String, profile: Name? = nil,
        old: String? = nil, new: String? = nil, end: Timestamp? = nil
    ) {
        self.number = number
        self.key = key
        self.time = time
        self.origin = origin
        self.layer = layer
        self.profile = profile
        self.old = old
        self.new = new
        self.end = end
    }

    /// How many bytes its texts have.
    var byteCount: Int {
        [key.text, origin, layer, profile?.text ?? "", old ?? "", new ?? ""].reduce(0) { $0 + $1.utf8.count }
    }
}
