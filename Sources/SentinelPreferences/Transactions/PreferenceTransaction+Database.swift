// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension PreferenceTransaction {
    /// Takes in what another database holds that has come into use. What is known stays, and is stored where the
    /// database has it otherwise or not at all; the rest is that of the database.
    mutating func takeIn(_ database: StoredPreferences) {
        for key in state.order {
            touch(key)
        }
        var all = database
        endOverrides(in: &all)
        keepDeclarations(in: &all)
        keepValues(in: &all)
        keepProfiles(in: &all)

        let old = state
        state = PreferenceState(all, matches: false, limits: limits)
        state.launch = old.launch
        for key in state.order {
            if let entry = old.entries[key], entry.declaration == state.entries[key]?.declaration {
                state.setKnown(entry.known, of: key)
                state.entries[key]?.isStale = entry.isStale
            }
            state.refresh(key)
            if old.entries[key] == nil {
                noteDeclared(key)
            }
        }
        if Set(old.profiles.keys) != Set(state.profiles.keys) {
            noteProfiles()
        }
        let applied = state.appliedProfile
        state.appliedProfile = old.appliedProfile
        nameProfile(applied)
    }

    /// Ends what the database overrides and whose time is over, before it could come into force.
    private mutating func endOverrides(in all: inout StoredPreferences) {
        for (key, row) in all.temporary.sorted(by: { $0.key < $1.key }) {
            guard let end = row.end, end <= now else { continue }
            all.temporary[key] = nil
            store(.unset(.temporary, key))
            record(.temporary, key, old: PreferenceLayerValue(row), new: nil, origin: ApplicationID.sentinel.text)
        }
    }

    private mutating func keepDeclarations(in all: inout StoredPreferences) {
        var places: [Name: Int] = [:]
        for (index, row) in all.declarations.enumerated() {
            places[row.key] = index
        }
        var last = all.declarations.last?.position ?? 0
        for key in state.order {
            guard var row = state.entries[key]?.declared.row else { continue }
            guard let place = places[key] else {
                last += 1
                row.position = last
                all.declarations.append(row)
                store(.declare(row))
                continue
            }
            let present = all.declarations[place]
            // What the application declares itself stands above what a manifest says.
            if present.source != row.source, row.source == PreferenceEntry.Source.manifest.rawValue { continue }
            row.position = present.position
            if present.document != row.document || present.source != row.source {
                all.declarations[place] = row
                store(.declare(row))
            }
        }
    }

    private mutating func keepValues(in all: inout StoredPreferences) {
        for (key, entry) in state.entries {
            if let row = entry.stored?.row(at: now), row.document != all.stored[key]?.document {
                all.stored[key] = row
                store(.set(.stored, key, row))
            }
            if let row = entry.temporary?.row(at: now),
                row.document != all.temporary[key]?.document || row.end != all.temporary[key]?.end
            {
                all.temporary[key] = row
                store(.set(.temporary, key, row))
            }
        }
    }

    private mutating func keepProfiles(in all: inout StoredPreferences) {
        for (name, values) in state.profiles {
            let rows = values.mapValues { $0.row(at: now) }
            guard all.profiles[name]?.mapValues(\.document) != rows.mapValues(\.document) else { continue }
            all.profiles[name] = rows
            store(.saveProfile(name, rows))
        }
        if let applied = state.appliedProfile, applied != all.appliedProfile {
            all.appliedProfile = applied
            store(.applyProfile(applied))
        }
    }
}
