// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

/// Steps that are taken on an application's preferences and become true together, once they are stored.
///
/// A step that throws has changed nothing: each checks everything before its first change.
struct PreferenceTransaction {
    /// The preferences as the steps so far leave them.
    var state: PreferenceState
    /// What is to be stored.
    private(set) var writes: [PreferenceWrite] = []
    let now: Timestamp
    /// How many bytes the preferences of all other applications have.
    var othersByteCount = 0
    /// Why no step is taken; nil where they are.
    var refusal: SentinelError?

    /// The values in force before the step of the keys that it has touched.
    private var before: [Name: PreferenceValue?] = [:]
    /// What the step has changed beyond values.
    private var changes = PreferenceChanges()

    init(_ state: PreferenceState, now: Timestamp) {
        self.state = state
        self.now = now
    }

    var limits: PreferenceLimits { state.limits }

    /// Tells what has changed since this was last called.
    mutating func takeChanges() -> PreferenceChanges {
        defer {
            before = [:]
            changes = PreferenceChanges()
        }
        let changed = before.filter { key, value in
            guard let entry = state.entries[key] else { return false }
            return entry.value != value
        }
        guard !changed.isEmpty else { return changes }
        for (key, entry) in changed.keys.compactMap({ key in state.entries[key].map { (key, $0) } })
            .sorted(by: { $0.1.declared.position < $1.1.declared.position })
        {
            changes.changed.append(key)
            if !entry.declaration.isMarked(.sensitive), !entry.declaration.isMarked(.isPrivate) {
                changes.values[key] = entry.value
            }
        }
        return changes
    }

    /// Notes that the value in force of a preference may change; before it does.
    mutating func touch(_ key: Name) {
        if before[key] == nil, let entry = state.entries[key] {
            before[key] = .some(entry.value)
        }
    }

    /// Notes that a preference was declared or its declaration has changed.
    mutating func noteDeclared(_ key: Name) {
        changes.declared.append(key)
    }

    /// Notes that a preference was removed.
    mutating func noteRemoved(_ key: Name) {
        changes.removed.append(key)
    }

    /// Has something stored with the rest.
    mutating func store(_ write: PreferenceWrite) {
        state.footprint.note(write)
        writes.append(write)
    }

    /// Looks whether there is room for what is to be written.
    ///
    /// - Throws: `limitsExceeded`, but not where nothing grows.
    func checkSize(_ writes: [PreferenceWrite]) throws(SentinelError) {
        try checkSize(growth: writes.reduce(0) { $0 + state.footprint.growth(by: $1) })
    }

    /// Looks whether there is room for so many bytes more.
    ///
    /// - Throws: `limitsExceeded`, but not where nothing grows.
    func checkSize(growth: Int) throws(SentinelError) {
        guard growth > 0 else { return }
        let byteCount = state.footprint.byteCount + growth
        guard byteCount <= limits.applicationBytes else {
            throw SentinelError(
                .limitsExceeded,
                "the preferences of an application have at most \(limits.applicationBytes) bytes with their values")
        }
        guard byteCount + othersByteCount <= limits.totalBytes else {
            throw SentinelError(
                .limitsExceeded,
                "the preferences of all applications have at most \(limits.totalBytes) bytes with their values")
        }
    }

    /// Looks whether a call names no more preferences than there can be, before each is looked at.
    ///
    /// - Throws: `limitsExceeded`.
    func checkCount(ofNamed count: Int) throws(SentinelError) {
        let most = max(limits.preferences, state.entries.count)
        guard count <= most else {
            throw SentinelError(
                .limitsExceeded, "\(count) preferences are named, and an application has at most \(most)")
        }
    }

    /// Makes a profile the one that is applied, as far as its name goes.
    mutating func nameProfile(_ name: Name?) {
        guard state.appliedProfile != name else { return }
        state.appliedProfile = name
        store(.applyProfile(name))
        changes.hasOtherProfile = true
    }

    /// Notes that there are other profiles.
    mutating func noteProfiles() {
        changes.hasOtherProfiles = true
    }

    // MARK: Layers

    /// A value for a layer of a preference.
    typealias Assignment = (layer: PreferenceLayer, key: Name, value: PreferenceLayerValue)

    /// Changes what layers hold, all or none.
    ///
    /// - Throws: `limitsExceeded`.
    mutating func assign(_ assignments: [Assignment], origin: String) throws(SentinelError) {
        let news = assignments.filter { state.entries[$0.key]?[$0.layer]?.value != $0.value.value }
        try checkSize(news.compactMap { write(of: $0.layer, $0.key, $0.value) })
        for (layer, key, value) in assignments {
            change(layer, key, to: value, origin: origin)
        }
    }

    /// Changes what a layer holds; nil leaves it without a value. The same value again changes nothing.
    mutating func change(_ layer: PreferenceLayer, _ key: Name, to value: PreferenceLayerValue?, origin: String) {
        guard let entry = state.entries[key] else { return }
        let place = PreferenceState.Place(layer: layer, key: key)
        let old = entry[layer]
        let isInvalid = state.problems[place] != nil
        guard old?.value != value?.value || old?.end != value?.end || isInvalid else { return }
        touch(key)
        state.problems[place] = nil
        state.entries[key]?[layer] = value
        if layer == .temporary { state.ends[key] = value?.end }
        storeLayer(layer, key, value)
        if old?.value != value?.value {
            record(layer, key, old: old, new: value, origin: origin)
        }
    }

    private mutating func storeLayer(_ layer: PreferenceLayer, _ key: Name, _ value: PreferenceLayerValue?) {
        switch layer {
        case .stored: state.orphans[key]?.stored = nil
        case .temporary: state.orphans[key]?.temporary = nil
        case .profile:
            guard let profile = state.appliedProfile else { return }
            state.profiles[profile]?[key] = value
        case .launch, .default, .provider: break
        }
        if let write = write(of: layer, key, value) {
            store(write)
        }
    }

    /// What is to be written for a value of a layer; nil for a layer that is not kept.
    private func write(of layer: PreferenceLayer, _ key: Name, _ value: PreferenceLayerValue?) -> PreferenceWrite? {
        let row = value?.row(at: now)
        switch layer {
        case .stored: return row.map { .set(.stored, key, $0) } ?? .unset(.stored, key)
        case .temporary: return row.map { .set(.temporary, key, $0) } ?? .unset(.temporary, key)
        case .profile:
            guard let profile = state.appliedProfile else { return nil }
            return row.map { .setInProfile(profile, key, $0) } ?? .unsetInProfile(profile, key)
        case .launch, .default, .provider: return nil
        }
    }

    /// Remembers a change of a layer.
    mutating func record(
        _ layer: PreferenceLayer, _ key: Name, old: PreferenceLayerValue?, new: PreferenceLayerValue?, origin: String
    ) {
        store(
            .record(
                StoredChange(
                    key: key, time: now, origin: origin, layer: layer.rawValue,
                    profile: layer == .profile ? state.appliedProfile : nil, old: old?.value.document,
                    new: new?.value.document, end: (new ?? old)?.end)))
    }

    /// Ends the overrides whose time is over.
    mutating func endOverrides(origin: String) {
        for (key, end) in state.ends.sorted(by: { $0.key < $1.key }) where end <= now {
            change(.temporary, key, to: nil, origin: origin)
        }
    }
}

extension PreferenceEntry {
    /// What a layer that can be written holds.
    subscript(layer: PreferenceLayer) -> PreferenceLayerValue? {
        get {
            switch layer {
            case .launch: launch
            case .temporary: temporary
            case .profile: profile
            case .stored: stored
            case .default, .provider: nil
            }
        }
        set {
            switch layer {
            case .launch: launch = newValue
            case .temporary: temporary = newValue
            case .profile: profile = newValue
            case .stored: stored = newValue
            case .default, .provider: break
            }
        }
    }
}
