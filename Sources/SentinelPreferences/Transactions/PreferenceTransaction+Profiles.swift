// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension PreferenceTransaction {
    /// Saves the values in force that differ from their defaults, in place of a profile of that name.
    mutating func saveProfile(_ name: Name, origin: String) throws(SentinelError) {
        guard state.profiles[name] != nil || state.profiles.count < limits.profiles else {
            throw SentinelError(
                .limitsExceeded,
                "an application has at most \(limits.profiles) profiles; delete one that is not needed")
        }
        let old = state.profiles[name]
        let new = presentValues.mapValues { PreferenceLayerValue($0, origin: origin, time: now) }
        guard old?.mapValues(\.value) != new.mapValues(\.value) else { return }
        let write = PreferenceWrite.saveProfile(name, new.mapValues { $0.row(at: now) })
        try checkSize([write])
        store(write)
        state.profiles[name] = new
        if old == nil {
            noteProfiles()
        }
        if name == state.appliedProfile {
            refreshProfile(Array(new.keys) + (old.map { Array($0.keys) } ?? []), origin)
        }
    }

    /// Makes a profile the layer `profile`; nil for none.
    mutating func applyProfile(_ name: Name?, origin: String) throws(SentinelError) {
        let new = try name.map { name throws(SentinelError) in try profile(name) } ?? [:]
        var problems = PreferenceProblems()
        for (key, value) in new.sorted(by: { $0.key < $1.key }) {
            guard let entry = state.entries[key] else { continue }
            problems.collect { () throws(SentinelError) in
                try refuseLive(entry, "part of a profile")
                _ = try entry.declaration.validated(value.value, limits: limits)
            }
        }
        try problems.check()
        switchProfile(to: name, origin)
    }

    /// Deletes a profile; if it is applied, none is afterwards.
    mutating func deleteProfile(_ name: Name, origin: String) throws(SentinelError) {
        _ = try profile(name)
        if name == state.appliedProfile {
            switchProfile(to: nil, origin)
        }
        state.profiles[name] = nil
        store(.deleteProfile(name))
        noteProfiles()
    }

    private mutating func switchProfile(to name: Name?, _ origin: String) {
        guard name != state.appliedProfile else { return }
        let old = state.appliedProfile.flatMap { state.profiles[$0] } ?? [:]
        let new = name.flatMap { state.profiles[$0] } ?? [:]
        nameProfile(name)
        refreshProfile(Array(old.keys) + Array(new.keys), origin)
    }

    /// Takes the layer of preferences over from the applied profile.
    private mutating func refreshProfile(_ keys: [Name], _ origin: String) {
        for key in Set(keys).sorted() {
            guard let old = state.entries[key] else { continue }
            touch(key)
            state.refresh(key)
            let new = state.entries[key]?.profile
            if old.profile?.value != new?.value {
                record(.profile, key, old: old.profile, new: new, origin: origin)
            }
        }
    }
}

extension PreferenceTransaction {
    /// Finds a profile.
    ///
    /// - Throws: `unknownProfile`.
    private func profile(_ name: Name) throws(SentinelError) -> [Name: PreferenceLayerValue] {
        guard let profile = state.profiles[name] else {
            throw SentinelError(.unknownProfile, "there is no profile \(name)")
        }
        return profile
    }

    /// The values in force that differ from their defaults, of the preferences that can be part of a profile.
    private var presentValues: [Name: PreferenceValue] {
        state.entries.compactMapValues { entry in
            guard !entry.isLive, !entry.declaration.isMarked(.readOnly) else { return nil }
            return entry.value == entry.declaration.defaultValue ? nil : entry.value
        }
    }

    /// Compares two profiles; nil is the present state.
    func compare(_ left: Name?, _ right: Name?) throws(SentinelError) -> [PreferenceDifference] {
        let (old, new) = (try values(of: left), try values(of: right))
        return Set(old.keys).union(new.keys).sorted().compactMap { key in
            guard state.entries[key] != nil, old[key] != new[key] else { return nil }
            return PreferenceDifference(key: key, old: old[key], new: new[key])
        }
    }

    private func values(of name: Name?) throws(SentinelError) -> [Name: PreferenceValue] {
        guard let name else { return presentValues }
        return try profile(name).mapValues(\.value)
    }
}
