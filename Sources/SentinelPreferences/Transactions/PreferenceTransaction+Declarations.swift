// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension PreferenceTransaction {
    /// Declares preferences, all or none. A key that is there is updated in its place and keeps what is still valid.
    mutating func declare(
        _ declarations: [PreferenceDeclaration], source: PreferenceEntry.Source = .application, origin: String
    ) throws(SentinelError) {
        var keys: Set<Name> = []
        for declaration in declarations where !keys.insert(declaration.key).inserted {
            throw SentinelError(.invalidArgs, "preference \(declaration.key) is declared twice")
        }
        try checkCount(adding: keys.count { state.entries[$0] == nil })
        let news = declarations.filter { isNews($0, source) }
        try checkSize(news.map { .declare(declared($0, source, origin).row) })
        keep(news, source, origin)
    }

    /// Declares what a manifest says in place of what one said before. What the application has declared itself stays
    /// as it is; values of what the manifest says no more are kept until it is declared again.
    mutating func declareManifest(_ declarations: [PreferenceDeclaration], origin: String) throws(SentinelError) {
        let keys = Set(declarations.map(\.key))
        let dropped = state.order.filter { state.entries[$0]?.declared.source == .manifest && !keys.contains($0) }
        let own = declarations.filter { state.entries[$0.key]?.declared.source != .application }
        let newCount = own.count { state.entries[$0.key] == nil }
        try checkCount(adding: newCount, removing: dropped.count)
        guard keys.count == declarations.count else {
            throw SentinelError(.invalidArgs, "the manifest declares a preference twice")
        }
        let news = own.filter { isNews($0, .manifest) }
        try checkSize(
            dropped.map { .removeDeclaration($0) } + news.map { .declare(declared($0, .manifest, origin).row) })
        for key in dropped {
            drop(key)
        }
        keep(news, .manifest, origin)
    }

    private func isNews(_ declaration: PreferenceDeclaration, _ source: PreferenceEntry.Source) -> Bool {
        guard let entry = state.entries[declaration.key] else { return true }
        return entry.declared.source != source || entry.declaration != declaration
    }

    /// A declaration as it is kept, in its place or after all others.
    private func declared(
        _ declaration: PreferenceDeclaration, _ source: PreferenceEntry.Source, _ origin: String
    ) -> PreferenceEntry.Declared {
        let last = state.order.last.flatMap { state.entries[$0]?.declared.position } ?? 0
        return PreferenceEntry.Declared(
            declaration, position: state.entries[declaration.key]?.declared.position ?? last + 1, source: source,
            origin: origin, time: now)
    }

    private mutating func keep(
        _ declarations: [PreferenceDeclaration], _ source: PreferenceEntry.Source, _ origin: String
    ) {
        for declaration in declarations {
            let declared = declared(declaration, source, origin)
            if let entry = state.entries[declaration.key] {
                update(entry, declared, origin)
            } else {
                add(declared)
            }
        }
    }

    /// Removes preferences with their values, all or none.
    mutating func remove(_ keys: [Name]) throws(SentinelError) {
        try checkCount(ofNamed: keys.count)
        var problems = PreferenceProblems()
        for key in keys {
            problems.collect { () throws(SentinelError) in _ = try state.entry(key) }
        }
        try problems.check()
        for key in keys where state.entries[key] != nil {
            remove(key)
        }
    }

    private func checkCount(adding count: Int, removing removed: Int = 0) throws(SentinelError) {
        // Those that were there before the limit was lowered stay, and can be declared again.
        guard count <= removed || state.entries.count - removed + count <= limits.preferences else {
            throw SentinelError(
                .limitsExceeded,
                "an application has at most \(limits.preferences) preferences; remove some that are not needed")
        }
    }

    private mutating func add(_ declared: PreferenceEntry.Declared) {
        let key = declared.declaration.key
        state.problems[.init(layer: .default, key: key)] = nil
        state.entries[key] = PreferenceEntry(declared)
        state.order.append(key)
        adopt(key)
        state.refresh(key)
        store(.declare(declared.row))
        noteDeclared(key)
    }

    /// Takes up again what is kept for a preference, as far as it is valid, and lets the rest go.
    private mutating func adopt(_ key: Name) {
        guard let orphan = state.orphans.removeValue(forKey: key) else { return }
        if let row = orphan.stored {
            let value = state.valid(PreferenceLayerValue(row), .stored, key)
            state.problems[.init(layer: .stored, key: key)] = nil
            state.entries[key]?.stored = value
            if value == nil { store(.unset(.stored, key)) }
        }
        if let row = orphan.temporary {
            let isOver = row.end.map { $0 <= now } ?? false
            let value = isOver ? nil : state.valid(PreferenceLayerValue(row), .temporary, key)
            state.problems[.init(layer: .temporary, key: key)] = nil
            state.entries[key]?.temporary = value
            state.ends[key] = value?.end
            if value == nil { store(.unset(.temporary, key)) }
        }
    }

    private mutating func update(
        _ entry: PreferenceEntry, _ declared: PreferenceEntry.Declared, _ origin: String
    ) {
        let declaration = declared.declaration
        let key = declaration.key
        touch(key)
        state.entries[key]?.declared = declared
        store(.declare(declared.row))
        guard entry.declaration != declaration else { return }
        for layer in [PreferenceLayer.temporary, .stored] {
            keepValid(layer, key, origin)
        }
        if entry.declaration.isMarked(.sensitive), !declaration.isMarked(.sensitive) {
            // What was kept out of the history is in none that could be told now.
            store(.forgetChanges(key))
        }
        state.refresh(key)
        if let known = entry.known {
            let isValid = declaration.problems(with: known, limits: limits).isEmpty
            state.setKnown(isValid ? known : nil, of: key)
        }
        noteDeclared(key)
    }

    /// Lets a value go that the declaration does not allow any more; one that is of the new type only when it is
    /// converted is converted.
    private mutating func keepValid(_ layer: PreferenceLayer, _ key: Name, _ origin: String) {
        guard let entry = state.entries[key], var value = entry[layer] else { return }
        let converted = value.value.converted(toTypeOf: entry.declaration.defaultValue)
        if !entry.isLive, let converted, entry.declaration.problems(with: converted, limits: limits).isEmpty {
            guard converted != value.value else { return }
            value.value = converted
            change(layer, key, to: value, origin: origin)
        } else {
            change(layer, key, to: nil, origin: origin)
        }
    }

    private mutating func remove(_ key: Name) {
        guard let entry = state.entries[key] else { return }
        state.orphans[key] = nil
        store(.unset(.temporary, key))
        store(.unset(.stored, key))
        if entry.declaration.isMarked(.sensitive) {
            for (name, values) in state.profiles where values[key] != nil {
                state.profiles[name]?[key] = nil
                store(.unsetInProfile(name, key))
            }
        }
        removeDeclaration(entry)
    }

    /// Removes a declaration alone: its values are kept until it comes again.
    private mutating func drop(_ key: Name) {
        guard let entry = state.entries[key] else { return }
        var orphan = state.orphans[key] ?? PreferenceState.Orphan()
        orphan.stored = entry.stored?.row(at: now) ?? orphan.stored
        orphan.temporary = entry.temporary?.row(at: now) ?? orphan.temporary
        state.orphans[key] = orphan.isEmpty ? nil : orphan
        removeDeclaration(entry)
    }

    private mutating func removeDeclaration(_ entry: PreferenceEntry) {
        let key = entry.declaration.key
        if entry.declaration.isMarked(.sensitive) {
            // Nothing says any more that its values are to be kept out of what is told.
            store(.forgetChanges(key))
        }
        store(.removeDeclaration(key))
        state.setKnown(nil, of: key)
        state.entries[key] = nil
        state.ends[key] = nil
        state.order.removeAll { $0 == key }
        for layer in PreferenceLayer.allCases {
            state.problems[.init(layer: layer, key: key)] = nil
        }
        noteRemoved(key)
    }
}

extension PreferenceEntry.Declared {
    /// The declaration as a row of the store.
    var row: StoredPreferences.Declaration {
        StoredPreferences.Declaration(
            key: declaration.key, position: position, document: declaration.document, source: source.rawValue,
            origin: origin, time: time)
    }
}
