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
        try checkCount(state.entries.count + keys.count { state.entries[$0] == nil })
        var position = state.order.last.flatMap { state.entries[$0]?.declared.position } ?? 0
        for declaration in declarations {
            if let entry = state.entries[declaration.key] {
                update(entry, declaration, source, origin)
            } else {
                position += 1
                add(declaration, at: position, source, origin)
            }
        }
    }

    /// Declares what a manifest says in place of what one said before. What the application has declared itself stays
    /// as it is.
    mutating func declareManifest(_ declarations: [PreferenceDeclaration], origin: String) throws(SentinelError) {
        let keys = Set(declarations.map(\.key))
        let dropped = state.order.filter { state.entries[$0]?.declared.source == .manifest && !keys.contains($0) }
        let own = declarations.filter { state.entries[$0.key]?.declared.source != .application }
        let newCount = own.count { state.entries[$0.key] == nil }
        try checkCount(state.entries.count - dropped.count + newCount)
        guard keys.count == declarations.count else {
            throw SentinelError(.invalidArgs, "the manifest declares a preference twice")
        }
        for key in dropped {
            remove(key)
        }
        try declare(own, source: .manifest, origin: origin)
    }

    /// Removes preferences with their values, all or none.
    mutating func remove(_ keys: [Name]) throws(SentinelError) {
        var problems = PreferenceProblems()
        for key in keys {
            problems.collect { () throws(SentinelError) in _ = try state.entry(key) }
        }
        try problems.check()
        for key in keys where state.entries[key] != nil {
            remove(key)
        }
    }

    private func checkCount(_ count: Int) throws(SentinelError) {
        guard count <= limits.preferences else {
            throw SentinelError(
                .limitsExceeded,
                "an application has at most \(limits.preferences) preferences; remove some that are not needed")
        }
    }

    private mutating func add(
        _ declaration: PreferenceDeclaration, at position: Int64, _ source: PreferenceEntry.Source, _ origin: String
    ) {
        let key = declaration.key
        let declared = PreferenceEntry.Declared(
            declaration, position: position, source: source, origin: origin, time: now)
        state.problems[.init(layer: .default, key: key)] = nil
        state.entries[key] = PreferenceEntry(declared)
        state.order.append(key)
        state.refresh(key)
        store(.declare(declared.row))
        noteDeclared(key)
    }

    private mutating func update(
        _ entry: PreferenceEntry, _ declaration: PreferenceDeclaration, _ source: PreferenceEntry.Source,
        _ origin: String
    ) {
        let isSame = entry.declaration == declaration
        guard !isSame || entry.declared.source != source else { return }
        let key = declaration.key
        touch(key)
        let declared = PreferenceEntry.Declared(
            declaration, position: entry.declared.position, source: source, origin: origin, time: now)
        state.entries[key]?.declared = declared
        store(.declare(declared.row))
        guard !isSame else { return }
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
            state.entries[key]?.known = isValid ? known : nil
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
        if entry.temporary != nil { store(.unset(.temporary, key)) }
        store(.unset(.stored, key))
        if entry.declaration.isMarked(.sensitive) {
            // Nothing says any more that its values are to be kept out of what is told.
            store(.forgetChanges(key))
            for (name, values) in state.profiles where values[key] != nil {
                state.profiles[name]?[key] = nil
                store(.unsetInProfile(name, key))
            }
        }
        store(.removeDeclaration(key))
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
    fileprivate var row: StoredPreferences.Declaration {
        StoredPreferences.Declaration(
            key: declaration.key, position: position, document: declaration.document, source: source.rawValue,
            origin: origin, time: time)
    }
}
