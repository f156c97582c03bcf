// SPDX-License-Identifier: MIT

import SentinelModels

extension PreferenceTransaction {
    private static let version: Int64 = 1

    /// The stored layer as a JSON text.
    func document(of id: ApplicationID, includesSensitive: Bool) -> String {
        let members = state.order.compactMap { key -> (key: String, value: JSONValue)? in
            guard let entry = state.entries[key], let stored = entry.stored else { return nil }
            guard includesSensitive || !entry.declaration.isMarked(.sensitive) else { return nil }
            return (key.text, stored.value.json)
        }
        let document: JSONValue = [
            "application": .string(id.text), "version": .integer(Self.version), "preferences": .object(members),
        ]
        return document.serialized(.pretty)
    }

    /// Takes over stored values from a JSON text, all or none.
    ///
    /// - Parameter isDry: whether it only tells what would change.
    /// - Returns: what the layer holds before and after.
    mutating func take(
        _ document: String, of id: ApplicationID, isDry: Bool, origin: String
    ) throws(SentinelError) -> [PreferenceDifference] {
        var valid: [(key: Name, value: PreferenceValue)] = []
        var problems = PreferenceProblems()
        let members = try members(of: document, id)
        try checkCount(ofNamed: members.count)
        for (text, json) in members.sorted(by: { DataKey($0.key) < DataKey($1.key) }) {
            problems.collect { () throws(SentinelError) in
                let key: Name
                do throws(SentinelError) {
                    key = try Name(text, as: "key")
                } catch {
                    throw SentinelError(.unknownPreference, "a key of the document cannot be one: \(error.message)")
                }
                let entry = try state.entry(key)
                try refuseLive(entry, "imported")
                try refuseReadOnly(entry)
                valid.append((key, try entry.declaration.validated(PreferenceValue(json: json), limits: limits)))
            }
        }
        try problems.check()
        let differences = valid.compactMap { key, value -> PreferenceDifference? in
            let old = state.entries[key]?.stored?.value
            return old == value ? nil : PreferenceDifference(key: key, old: old, new: value)
        }
        if !isDry {
            let new = valid.map { key, value -> Assignment in
                (.stored, key, PreferenceLayerValue(value, origin: origin, time: now))
            }
            try assign(new, origin: origin)
        }
        return differences
    }

    private func members(
        of document: String, _ id: ApplicationID
    ) throws(SentinelError) -> [(key: String, value: JSONValue)] {
        guard document.utf8.count <= limits.documentBytes else {
            throw SentinelError(.limitsExceeded, "the document has more than \(limits.documentBytes) bytes")
        }
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONValue(parsing: document.utf8)
        } catch {
            throw SentinelError(.invalidArgs, "the document is no JSON: \(error)")
        }
        guard case .object(let members) = json else {
            throw SentinelError(.invalidArgs, "the document is no JSON object")
        }
        func member(_ name: String) -> JSONValue? { members.first { $0.key == name }?.value }
        guard case .string(let application) = member("application") else {
            throw SentinelError(.invalidArgs, "the document has no text \"application\"")
        }
        guard application.utf8.elementsEqual(id.text.utf8) else {
            throw SentinelError(.invalidArgs, "the document is of another application than \(id)")
        }
        guard member("version") == .integer(Self.version) else {
            throw SentinelError(.invalidArgs, "the document's version is not \(Self.version)")
        }
        guard case .object(let preferences) = member("preferences") else {
            throw SentinelError(.invalidArgs, "the document has no object \"preferences\"")
        }
        return preferences
    }
}
