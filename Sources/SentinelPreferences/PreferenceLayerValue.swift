// SPDX-License-Identifier: MIT

public import SentinelModels
import SentinelPersistence

/// What a layer holds for a preference.
public struct PreferenceLayerValue: Hashable, Sendable {
    /// The value.
    public var value: PreferenceValue
    /// Who set it; empty where unknown.
    public var origin: String
    /// When.
    public var time: Timestamp?
    /// When it ends; nil for one that stays.
    public var end: Timestamp?

    init(_ value: PreferenceValue, origin: String, time: Timestamp?, end: Timestamp? = nil) {
        self.value = value
        self.origin = origin
        self.time = time
        self.end = end
    }
}

extension PreferenceLayerValue {
    /// The value of a row; nil for one that holds no value of a preference.
    init?(_ row: StoredPreferences.Value) {
        guard let value = PreferenceValue(document: row.document) else { return nil }
        self.init(value, origin: row.origin, time: row.time, end: row.end)
    }

    /// The value as a row of the store.
    func row(at now: Timestamp) -> StoredPreferences.Value {
        StoredPreferences.Value(document: value.document, origin: origin, time: time ?? now, end: end)
    }
}

extension PreferenceValue {
    /// The value as JSON text.
    var document: String { json.serialized() }

    /// The value of a JSON text; nil for one that stands for none.
    init?(document: String) {
        do throws(JSONSyntaxError) {
            self.init(json: try JSONValue(parsing: document.utf8))
        } catch {
            return nil
        }
    }
}
