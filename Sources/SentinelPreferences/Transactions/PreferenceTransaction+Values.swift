// SPDX-License-Identifier: MIT

import SentinelModels

extension PreferenceTransaction {
    /// What has become of a write.
    enum Written: Sendable {
        /// It is done; this is the value in force.
        case value(PreferenceValue)
        /// The provider is to be given this value.
        case live(PreferenceValue)
    }

    /// An override lasts at most so long.
    private static let longestOverride = 100 * 365.25 * 86_400

    /// Writes the strongest writable layer that has the key.
    mutating func set(_ key: Name, _ value: PreferenceValue?, origin: String) throws(SentinelError) -> Written {
        let entry = try state.entry(key)
        try refuseReadOnly(entry)
        let value = try entry.declaration.validated(value, limits: limits)
        if entry.isLive { return .live(value) }
        try refuseLaunch(entry)
        try assign([assignment(of: value, to: entry, origin)], origin: origin)
        return .value(value)
    }

    /// Writes several preferences, all or none.
    mutating func setMany(_ values: [Name: PreferenceValue?], origin: String) throws(SentinelError) {
        try checkCount(ofNamed: values.count)
        var valid: [Assignment] = []
        var problems = PreferenceProblems()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            problems.collect { () throws(SentinelError) in
                let entry = try state.entry(key)
                try refuseLive(entry, "set together with others")
                try refuseReadOnly(entry)
                try refuseLaunch(entry)
                let value = try entry.declaration.validated(value, limits: limits)
                valid.append(assignment(of: value, to: entry, origin))
            }
        }
        try problems.check()
        try assign(valid, origin: origin)
    }

    /// Overrides a value for a time.
    mutating func setFor(
        _ key: Name, _ value: PreferenceValue?, seconds: Double, origin: String
    ) throws(SentinelError) {
        guard seconds > 0, seconds <= Self.longestOverride else {
            throw SentinelError(.invalidArgs, "the time must be more than 0 seconds and at most 100 years")
        }
        let entry = try state.entry(key)
        try refuseLive(entry, "overridden for a time")
        try refuseReadOnly(entry)
        try refuseLaunch(entry)
        let value = try entry.declaration.validated(value, limits: limits)
        let end = Timestamp(clamping: now.microseconds + max(1, Int64(seconds * 1_000_000)))
        try assign(
            [(.temporary, key, PreferenceLayerValue(value, origin: origin, time: now, end: end))], origin: origin)
    }

    /// Sets preferences back to their defaults, all or none.
    ///
    /// - Parameter keys: nil for all that can be written.
    /// - Returns: the live ones, whose defaults the provider is to be given, with them.
    mutating func reset(_ keys: [Name]?, origin: String) throws(SentinelError) -> [(Name, PreferenceValue)] {
        try checkCount(ofNamed: keys?.count ?? 0)
        var entries: [PreferenceEntry] = []
        var problems = PreferenceProblems()
        for key in keys ?? state.order {
            let isWanted = keys != nil
            guard let entry = state.entries[key] else {
                problems.add(SentinelError(.unknownPreference, "no preference \(key) is declared"))
                continue
            }
            do throws(SentinelError) {
                try refuseReadOnly(entry)
                if !entry.isLive { try refuseLaunch(entry) }
                entries.append(entry)
            } catch {
                if isWanted { problems.add(error) }
            }
        }
        try problems.check()
        for entry in entries where !entry.isLive {
            for layer in [PreferenceLayer.temporary, .profile, .stored] {
                change(layer, entry.declaration.key, to: nil, origin: origin)
            }
        }
        return entries.filter(\.isLive).map { ($0.declaration.key, $0.declaration.defaultValue) }
    }

    /// A value for the strongest writable layer that has the key.
    private func assignment(of value: PreferenceValue, to entry: PreferenceEntry, _ origin: String) -> Assignment {
        let layer: PreferenceLayer = entry.temporary != nil ? .temporary : entry.profile != nil ? .profile : .stored
        let value = PreferenceLayerValue(value, origin: origin, time: now, end: entry[layer]?.end)
        return (layer, entry.declaration.key, value)
    }

    // MARK: Refusals

    /// - Throws: `readOnly` for a preference that clients cannot write.
    func refuseReadOnly(_ entry: PreferenceEntry) throws(SentinelError) {
        guard !entry.declaration.isMarked(.readOnly) else {
            throw SentinelError(.readOnly, "preference \(entry.declaration.key) is declared read-only")
        }
    }

    /// - Throws: `readOnly` under an override that the application was launched with.
    func refuseLaunch(_ entry: PreferenceEntry) throws(SentinelError) {
        guard entry.launch == nil else {
            throw SentinelError(
                .readOnly,
                "preference \(entry.declaration.key) is overridden by the layer launch, which lasts until the "
                    + "application ends")
        }
    }

    /// - Throws: `notSupported` for a live preference.
    func refuseLive(_ entry: PreferenceEntry, _ what: String) throws(SentinelError) {
        guard !entry.isLive else {
            throw SentinelError(
                .notSupported, "preference \(entry.declaration.key) is live, it has no layers and cannot be \(what)")
        }
    }
}

// MARK: - Live values

extension PreferenceTransaction {
    /// Takes note of what a provider has told. Where there is no room for it, what was known before is kept as stale.
    ///
    /// - Parameter isCurrent: whether it still is the provider; else nothing is noted.
    /// - Returns: the value.
    mutating func learn(
        _ key: Name, _ value: PreferenceValue?, isCurrent: Bool
    ) throws(SentinelError) -> PreferenceValue {
        let entry = try state.entry(key)
        guard entry.isLive else {
            throw SentinelError(.conflict, "preference \(key) was declared anew meanwhile and is not live any more")
        }
        let valid: PreferenceValue
        do throws(SentinelError) {
            valid = try entry.declaration.validated(value, limits: limits)
        } catch {
            throw SentinelError(.unavailable, "the provider's answer does not fit: \(error.message)")
        }
        guard isCurrent else { return valid }
        do throws(SentinelError) {
            try checkSize(growth: state.footprint.growth(byKnown: valid, of: key))
        } catch {
            state.entries[key]?.isStale = true
            return valid
        }
        know(key, valid)
        return valid
    }

    /// Takes note of live values that have changed, all or none.
    mutating func update(_ values: [Name: PreferenceValue?]) throws(SentinelError) {
        try checkCount(ofNamed: values.count)
        var valid: [(Name, PreferenceValue)] = []
        var problems = PreferenceProblems()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            problems.collect { () throws(SentinelError) in
                let entry = try state.entry(key)
                guard entry.isLive else {
                    throw SentinelError(.invalidArgs, "preference \(key) is not live; set it instead")
                }
                valid.append((key, try entry.declaration.validated(value, limits: limits)))
            }
        }
        try problems.check()
        try checkSize(growth: valid.reduce(0) { $0 + state.footprint.growth(byKnown: $1.1, of: $1.0) })
        for (key, value) in valid {
            know(key, value)
        }
    }

    private mutating func know(_ key: Name, _ value: PreferenceValue) {
        touch(key)
        state.setKnown(value, of: key)
        state.entries[key]?.isStale = false
    }

    /// Notes that nobody vouches for the known live values any more.
    mutating func makeStale() {
        for key in state.order where state.entries[key]?.isStale == false {
            state.entries[key]?.isStale = true
        }
    }

    /// Takes in what the newest instance that said anything was started with.
    mutating func setLaunch(_ values: [Name: PreferenceValue?], origin: String) {
        let keys = Set(state.launch.keys).union(values.keys)
        state.launch = values.mapValues { value in
            value.map { PreferenceLayerValue($0, origin: origin, time: now) }
        }
        for key in keys {
            touch(key)
            state.refresh(key)
        }
    }
}
