// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

/// All that is known of an application's preferences at one time.
struct PreferenceState: Sendable {
    /// A layer of a preference.
    struct Place: Hashable {
        let layer: PreferenceLayer
        let key: Name
    }

    /// What is kept of values for a preference that does not hold them.
    struct Orphan {
        var stored: StoredPreferences.Value?
        var temporary: StoredPreferences.Value?

        var isEmpty: Bool { stored == nil && temporary == nil }
    }

    /// The preferences by key.
    var entries: [Name: PreferenceEntry] = [:]
    /// The keys in declared order.
    var order: [Name] = []
    var profiles: [Name: [Name: PreferenceLayerValue]] = [:]
    var appliedProfile: Name?
    /// What the newest instance that said anything was started with; nil for what is no value of any preference.
    var launch: [Name: PreferenceLayerValue?] = [:]
    /// What is kept for a preference and is not valid, with the reason.
    var problems: [Place: String] = [:]
    /// The values that are kept for preferences that are not declared, or did not allow them.
    var orphans: [Name: Orphan] = [:]
    /// The size of all that is kept.
    var footprint = PreferenceFootprint()
    /// When each override ends.
    var ends: [Name: Timestamp] = [:]
    let limits: PreferenceLimits

    init(limits: PreferenceLimits) {
        self.limits = limits
    }

    /// When the next override ends.
    var nextEnd: Timestamp? {
        ends.values.min()
    }

    /// What is not valid, for people.
    var warnings: [String] {
        let sorted = problems.sorted { ($0.key.key, $0.key.layer.rawValue) < ($1.key.key, $1.key.layer.rawValue) }
        return sorted.map { "the \($0.key.layer.rawValue) value of \($0.key.key) is passed over: \($0.value)" }
    }

    /// Finds a preference.
    ///
    /// - Throws: `unknownPreference`.
    func entry(_ key: Name) throws(SentinelError) -> PreferenceEntry {
        guard let entry = entries[key] else {
            throw SentinelError(.unknownPreference, "no preference \(key) is declared")
        }
        return entry
    }

    /// Whether the values of a preference are kept out of what is told, also where its declaration cannot be read.
    func isMasked(_ key: Name) -> Bool {
        let isUnreadable = problems[Place(layer: .default, key: key)] != nil
        return entries[key]?.declaration.isMarked(.sensitive) ?? isUnreadable
    }

    /// Takes note of what is known of a live value; nil for nothing.
    mutating func setKnown(_ value: PreferenceValue?, of key: Name) {
        entries[key]?.known = value
        footprint.note(known: value, of: key)
    }

    /// Brings the layers that are kept elsewhere, those of profile and launch, up to date with a preference's
    /// declaration.
    mutating func refresh(_ key: Name) {
        guard entries[key] != nil else { return }
        let profile: PreferenceLayerValue?? = appliedProfile.flatMap { profiles[$0]?[key] }.map { .some($0) }
        let launch = self.launch[key]
        let (validProfile, validLaunch) = (valid(profile, .profile, key), valid(launch, .launch, key))
        entries[key]?.profile = validProfile
        entries[key]?.launch = validLaunch
    }

    /// A value of a layer if it is valid; takes note of one that is not.
    mutating func valid(
        _ value: PreferenceLayerValue??, _ layer: PreferenceLayer, _ key: Name, matches: Bool = false
    ) -> PreferenceLayerValue? {
        let place = Place(layer: layer, key: key)
        problems[place] = nil
        guard let value, let entry = entries[key], !entry.isLive else { return nil }
        // Clients cannot write what is read-only, by way of a profile either.
        guard layer != .profile || !entry.declaration.isMarked(.readOnly) else { return nil }
        do throws(SentinelError) {
            var (value, limits) = (value, self.limits)
            limits.checksPatterns = !matches
            let validated = try entry.declaration.validated(value?.value, limits: limits)
            value?.value = validated
            return value
        } catch {
            problems[place] = error.message
            return nil
        }
    }
}

// MARK: - From the store

extension PreferenceState {
    /// Takes in what is stored. What is not valid is passed over, and noted.
    ///
    /// - Parameter matches: whether what is set is known to match the patterns, as it was set with them.
    init(_ stored: StoredPreferences, matches: Bool, limits: PreferenceLimits) {
        self.init(limits: limits)
        for row in stored.declarations {
            do throws(SentinelError) {
                // It was within the limits when it was declared, whatever they are now.
                let declaration = try PreferenceDeclaration(document: row.document, limits: .none)
                guard declaration.key == row.key else {
                    throw SentinelError(.invalidArgs, "its declaration is of another key")
                }
                entries[row.key] = PreferenceEntry(
                    .init(
                        declaration, position: row.position, source: .init(rawValue: row.source) ?? .application,
                        origin: row.origin, time: row.time))
                order.append(row.key)
            } catch {
                problems[Place(layer: .default, key: row.key)] = error.message
            }
        }
        profiles = stored.profiles.mapValues { values in values.compactMapValues { PreferenceLayerValue($0) } }
        appliedProfile = stored.appliedProfile
        footprint = PreferenceFootprint(stored)
        for key in order {
            let (permanent, temporary) = (stored.stored[key], stored.temporary[key])
            let validPermanent = valid(permanent.map { PreferenceLayerValue($0) }, .stored, key, matches: matches)
            let validTemporary = valid(temporary.map { PreferenceLayerValue($0) }, .temporary, key, matches: matches)
            entries[key]?.stored = validPermanent
            entries[key]?.temporary = validTemporary
            ends[key] = validTemporary?.end
            refresh(key)
        }
        for (key, row) in stored.stored where entries[key]?.stored == nil {
            orphans[key, default: Orphan()].stored = row
        }
        for (key, row) in stored.temporary where entries[key]?.temporary == nil {
            orphans[key, default: Orphan()].temporary = row
        }
    }
}

extension PreferenceDeclaration {
    /// The declaration as JSON text.
    var document: String { json.serialized() }

    /// The declaration of a JSON text.
    ///
    /// - Throws: `invalidArgs`, `limitsExceeded`.
    init(document: String, limits: PreferenceLimits) throws(SentinelError) {
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONValue(parsing: document.utf8)
        } catch {
            throw SentinelError(.invalidArgs, "the declaration is no JSON: \(error)")
        }
        try self.init(json: json, limits: limits)
    }
}
