// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPreferences

// The structures of `org.sentinel.Preferences1`, which have the names of what they stand for.

extension SentinelModels.PreferenceDeclaration {
    /// Takes a declaration as it came.
    ///
    /// - Throws: code `invalidArgs`, `limitsExceeded`.
    init(_ given: SentinelInterfaces.PreferenceDeclaration, limits: PreferenceLimits) throws {
        let key = try Name(given.key, as: "key")
        guard let defaultValue = given.defaultValue.preference else {
            throw DBusError(
                .invalidArgs, "preference \(key): the default is \(PreferenceValue.expectation)")
        }
        let attributes: PreferenceAttributes
        do throws(DBusError) {
            attributes = try PreferenceAttributes(options: given.attributes)
        } catch {
            throw DBusError(error.code, "preference \(key): \(error.message)", underlying: error)
        }
        try self.init(
            key: key, name: given.name, defaultValue: defaultValue, attributes: attributes, limits: limits)
    }
}

extension SentinelInterfaces.PreferenceEntry {
    init(_ listing: PreferenceListing) {
        let declaration = listing.declaration
        var attributes = declaration.attributes.options
        attributes["layer"] = .string(listing.layer.rawValue)
        if listing.isModified { attributes["modified"] = .boolean(true) }
        if listing.isStale { attributes["stale"] = .boolean(true) }
        self.init(
            key: declaration.key.text, name: declaration.name, kind: declaration.kind.rawValue,
            value: Value(listing.value), defaultValue: Value(declaration.defaultValue), attributes: attributes)
    }
}

extension SentinelInterfaces.LayerValue {
    init(_ layer: PreferenceLayer, _ value: PreferenceLayerValue) {
        var attributes: [Key: Value] = [:]
        if !value.origin.isEmpty { attributes["origin"] = .string(value.origin) }
        attributes["time"] = value.time.map { .int64($0.microseconds) }
        attributes["until"] = value.end.map { .int64($0.microseconds) }
        self.init(layer: layer.rawValue, value: Value(value.value), attributes: attributes)
    }
}

extension SentinelInterfaces.PreferenceChange {
    init(_ change: SentinelPreferences.PreferenceChange) {
        var attributes: [Key: Value] = ["origin": .string(change.origin), "layer": .string(change.layer)]
        if change.isMasked { attributes["sensitive"] = .boolean(true) }
        attributes.add("old", change.old)
        attributes.add("new", change.new)
        self.init(
            change: UInt64(clamping: change.number), time: change.time.microseconds, key: change.key.text,
            attributes: attributes)
    }
}

extension SentinelInterfaces.PreferenceDifference {
    init(_ difference: SentinelPreferences.PreferenceDifference) {
        var values: [Key: Value] = [:]
        values.add("old", difference.old)
        values.add("new", difference.new)
        self.init(key: difference.key.text, values: values)
    }
}
