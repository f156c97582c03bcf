// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

/// How many bytes what is kept of an application's preferences has, what is known of live ones included and the history
/// not, which has a limit of its own.
struct PreferenceFootprint: Sendable {
    private enum Table: Hashable {
        case declarations
        case layer(PreferenceWrite.Layer)
        case profile(Name)
        case known
    }

    /// All bytes together.
    private(set) var byteCount = 0
    /// The bytes of each row.
    private var sizes: [Table: [Name: Int]] = [:]

    /// What something to write makes it grow by, taken alone.
    func growth(by write: PreferenceWrite) -> Int {
        switch write {
        case .declare(let row): Self.size(row) - size(.declarations, row.key)
        case .removeDeclaration(let key): -size(.declarations, key)
        case .set(let layer, let key, let row): Self.size(key, row) - size(.layer(layer), key)
        case .unset(let layer, let key): -size(.layer(layer), key)
        case .saveProfile(let name, let rows):
            rows.reduce(0) { $0 + Self.size($1.key, $1.value) } - size(.profile(name))
        case .deleteProfile(let name): -size(.profile(name))
        case .setInProfile(let name, let key, let row): Self.size(key, row) - size(.profile(name), key)
        case .unsetInProfile(let name, let key): -size(.profile(name), key)
        case .applyProfile, .record, .forgetChanges: 0
        }
    }

    /// What a live value that is known makes it grow by.
    func growth(byKnown value: PreferenceValue, of key: Name) -> Int {
        Self.size(key, value) - size(.known, key)
    }

    /// Takes note of what is known of a live value; nil for nothing.
    mutating func note(known value: PreferenceValue?, of key: Name) {
        let new = value.map { Self.size(key, $0) }
        byteCount += (new ?? 0) - size(.known, key)
        sizes[.known, default: [:]][key] = new
    }

    /// Takes note of something that is written.
    mutating func note(_ write: PreferenceWrite) {
        byteCount += growth(by: write)
        switch write {
        case .declare(let row): sizes[.declarations, default: [:]][row.key] = Self.size(row)
        case .removeDeclaration(let key): sizes[.declarations]?[key] = nil
        case .set(let layer, let key, let row): sizes[.layer(layer), default: [:]][key] = Self.size(key, row)
        case .unset(let layer, let key): sizes[.layer(layer)]?[key] = nil
        case .saveProfile(let name, let rows):
            sizes[.profile(name)] = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, Self.size($0.key, $0.value)) })
        case .deleteProfile(let name): sizes[.profile(name)] = nil
        case .setInProfile(let name, let key, let row):
            sizes[.profile(name), default: [:]][key] = Self.size(key, row)
        case .unsetInProfile(let name, let key): sizes[.profile(name)]?[key] = nil
        case .applyProfile, .record, .forgetChanges: break
        }
    }

    private func size(_ table: Table, _ key: Name) -> Int {
        sizes[table]?[key] ?? 0
    }

    private func size(_ table: Table) -> Int {
        sizes[table]?.values.reduce(0, +) ?? 0
    }

    private static func size(_ row: StoredPreferences.Declaration) -> Int {
        row.key.text.utf8.count + row.document.utf8.count + row.origin.utf8.count
    }

    private static func size(_ key: Name, _ value: PreferenceValue) -> Int {
        key.text.utf8.count + value.document.utf8.count
    }

    private static func size(_ key: Name, _ row: StoredPreferences.Value) -> Int {
        key.text.utf8.count + row.document.utf8.count + row.origin.utf8.count
    }
}

extension PreferenceFootprint {
    /// What is stored.
    init(_ stored: StoredPreferences) {
        for row in stored.declarations {
            note(.declare(row))
        }
        for (key, row) in stored.stored {
            note(.set(.stored, key, row))
        }
        for (key, row) in stored.temporary {
            note(.set(.temporary, key, row))
        }
        for (name, rows) in stored.profiles {
            note(.saveProfile(name, rows))
        }
    }
}
