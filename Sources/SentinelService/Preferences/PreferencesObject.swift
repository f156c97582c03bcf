// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPreferences

/// `org.sentinel.Preferences1` of one application.
///
/// Confined to the loop's thread.
final class PreferencesObject: Preferences1Handler {
    private let book: PreferenceBook
    private let callers: CallerNames
    private let limits: PreferenceLimits

    init(_ book: PreferenceBook, callers: CallerNames, limits: PreferenceLimits) {
        self.book = book
        self.callers = callers
        self.limits = limits
    }

    var profile: String { book.appliedProfile?.text ?? "" }
    var profiles: [String] { book.profileNames.map(\.text) }

    private func key(_ text: String) throws(SentinelError) -> Name {
        try Name(text, as: "key")
    }

    private func keys(_ texts: [String]) throws(SentinelError) -> [Name] {
        var keys: [Name] = []
        for text in texts {
            keys.append(try key(text))
        }
        return keys
    }

    /// Reads the name of a profile, which may be empty for none.
    private func optionalProfile(_ text: String) throws(SentinelError) -> Name? {
        text.isEmpty ? nil : try Name(text, as: "name of the profile")
    }

    /// What the service itself prefers is declared by it alone, and has no profiles: all of it is live.
    private func refuseService(_ code: SentinelError.Code, _ message: String) throws(SentinelError) {
        guard book.id != .sentinel else { throw SentinelError(code, message) }
    }
}

// MARK: - Reading

extension PreferencesObject {
    func list(reply: Reply<[SentinelInterfaces.PreferenceEntry]>) {
        book.list { result in
            reply.attempt { reply(try result.get().map(SentinelInterfaces.PreferenceEntry.init)) }
        }
    }

    func getAll(reply: Reply<[Key: Value]>) {
        book.values { result in
            reply.attempt {
                reply(Dictionary(uniqueKeysWithValues: try result.get().map { (Key($0.key.text), Value($0.value)) }))
            }
        }
    }

    func get(key: String, reply: Reply<Value>) {
        reply.attempt {
            book.value(try self.key(key)) { result in
                reply.attempt { reply(Value(try result.get())) }
            }
        }
    }

    func explain(key: String, reply: Reply<[LayerValue]>) {
        reply.attempt {
            book.explain(try self.key(key)) { result in
                reply.attempt { reply(try result.get().map { LayerValue($0.layer, $0.value) }) }
            }
        }
    }

    func history(key: String, options: [Key: Value], reply: Reply<[SentinelInterfaces.PreferenceChange]>) {
        reply.attempt {
            let limit = try PageLimit(try options.option("limit") ?? 0)
            let before: UInt64? = try options.option("before")
            book.history(
                key.isEmpty ? nil : try self.key(key), before: before.map { Int64(clamping: $0) }, limit: limit.count
            ) { result in
                reply.attempt { reply(try result.get().map(SentinelInterfaces.PreferenceChange.init)) }
            }
        }
    }

    func compare(profileA: String, profileB: String, reply: Reply<[SentinelInterfaces.PreferenceDifference]>) {
        reply.attempt {
            book.compare(try optionalProfile(profileA), try optionalProfile(profileB)) { result in
                reply.attempt { reply(try result.get().map(SentinelInterfaces.PreferenceDifference.init)) }
            }
        }
    }

    func export(options: [Key: Value], reply: Reply<String>) {
        reply.attempt {
            book.export(includesSensitive: try options.option("include_sensitive") ?? false) { result in
                reply.attempt { reply(try result.get()) }
            }
        }
    }
}

// MARK: - Writing

extension PreferencesObject {
    /// Answers once something is done.
    private func done(_ reply: Reply<>) -> PreferenceBook.Completion<Void> {
        { result in
            reply.attempt {
                try result.get()
                reply()
            }
        }
    }

    func set(key: String, value: Value, reply: Reply<Value>) {
        reply.attempt {
            let origin = callers.name(of: reply.call)
            book.set(try self.key(key), to: value.preference, origin: origin) { result in
                reply.attempt { reply(Value(try result.get())) }
            }
        }
    }

    func setMany(values: [Key: Value], reply: Reply<>) {
        reply.attempt {
            book.setMany(try values.preferences(), origin: callers.name(of: reply.call), completion: done(reply))
        }
    }

    func setFor(key: String, value: Value, seconds: Double, reply: Reply<>) {
        reply.attempt {
            book.set(
                try self.key(key), to: value.preference, forSeconds: seconds, origin: callers.name(of: reply.call),
                completion: done(reply))
        }
    }

    func reset(keys: [String], reply: Reply<>) {
        reply.attempt {
            book.reset(
                keys.isEmpty ? nil : try self.keys(keys), origin: callers.name(of: reply.call),
                completion: done(reply))
        }
    }

    func undo(change: UInt64, reply: Reply<>) {
        book.undo(change, origin: callers.name(of: reply.call), completion: done(reply))
    }

    func `import`(
        document: String, options: [Key: Value], reply: Reply<[SentinelInterfaces.PreferenceDifference]>
    ) {
        reply.attempt {
            let isDry = try options.option("dry_run") ?? false
            book.import(document, isDry: isDry, origin: callers.name(of: reply.call)) { result in
                reply.attempt { reply(try result.get().map(SentinelInterfaces.PreferenceDifference.init)) }
            }
        }
    }
}

// MARK: - Declarations and profiles

extension PreferencesObject {
    private static let ownDeclarations = "the service declares its own preferences; no other process can"

    func declare(preferences: [SentinelInterfaces.PreferenceDeclaration], reply: Reply<>) {
        reply.attempt {
            try refuseService(.accessDenied, Self.ownDeclarations)
            guard preferences.count <= limits.preferences else {
                throw SentinelError(
                    .limitsExceeded, "an application has at most \(limits.preferences) preferences")
            }
            let declarations = try preferences.map { try SentinelModels.PreferenceDeclaration($0, limits: limits) }
            book.declare(declarations, origin: callers.name(of: reply.call), completion: done(reply))
        }
    }

    func remove(keys: [String], reply: Reply<>) {
        reply.attempt {
            try refuseService(.accessDenied, Self.ownDeclarations)
            book.remove(try self.keys(keys), completion: done(reply))
        }
    }

    func update(values: [Key: Value], reply: Reply<>) {
        reply.attempt {
            try refuseService(.accessDenied, "the service itself tells when its own preferences have changed")
            book.update(try values.preferences(), completion: done(reply))
        }
    }

    func saveProfile(name: String, reply: Reply<>) {
        reply.attempt {
            let name = try Name(name, as: "name of the profile")
            try refuseService(.notSupported, "the service's own preferences are live and can be in no profile")
            book.saveProfile(name, origin: callers.name(of: reply.call), completion: done(reply))
        }
    }

    func applyProfile(name: String, reply: Reply<>) {
        reply.attempt {
            book.applyProfile(
                try optionalProfile(name), origin: callers.name(of: reply.call), completion: done(reply))
        }
    }

    func deleteProfile(name: String, reply: Reply<>) {
        reply.attempt {
            book.deleteProfile(
                try Name(name, as: "name of the profile"), origin: callers.name(of: reply.call),
                completion: done(reply))
        }
    }
}
