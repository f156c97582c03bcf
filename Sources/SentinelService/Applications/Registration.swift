// SPDX-License-Identifier: MIT

internal import DBus
internal import SentinelModels

/// What an instance says of itself when it registers.
struct Registration: Equatable, Sendable {
    /// The longest text that an instance may give, in bytes.
    static let longestText = 1024

    var name: String?
    var version: String?
    var build: String?
    var icon: String?
    /// The caller's object that implements `Provider1`.
    var provider: ObjectPath?
    /// Preference values from its command line or environment.
    var launch: [Key: Value]?

    /// Reads the options of `Register`; unknown keys are ignored.
    ///
    /// - Throws: `DBusError` with code `invalidArgs` for a known key with a value of a wrong type or too long.
    init(options: [Key: Value]) throws(DBusError) {
        name = try Self.text("name", in: options)
        version = try Self.text("version", in: options)
        build = try Self.text("build", in: options)
        icon = try Self.text("icon", in: options)
        provider = try options.option("provider")
        launch = try options.option("launch")
    }

    init() {}

    /// The record of the application after this registration.
    func updated(_ record: ApplicationRecord) -> ApplicationRecord {
        var record = record
        record.name = name ?? record.name
        record.version = version ?? record.version
        record.build = build ?? record.build
        record.icon = icon ?? record.icon
        return record
    }

    /// What `Application1.Instances` tells of it.
    var attributes: [Key: Value] {
        var attributes: [Key: Value] = [:]
        attributes["name"] = name.map(Value.string)
        attributes["version"] = version.map(Value.string)
        attributes["build"] = build.map(Value.string)
        attributes["icon"] = icon.map(Value.string)
        attributes["provider"] = provider.map(Value.objectPath)
        return attributes
    }

    private static func text(_ key: Key, in options: [Key: Value]) throws(DBusError) -> String? {
        guard let text: String = try options.option(key) else { return nil }
        guard text.utf8.count <= longestText else {
            throw DBusError(.invalidArgs, "option \(key): the text is longer than \(longestText) bytes")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw DBusError(.invalidArgs, "option \(key): control characters are not allowed")
        }
        return text
    }
}

extension [Key: Value] {
    /// Reads an option; nil if it is missing.
    ///
    /// - Throws: `DBusError` with code `invalidArgs` that names the option and the type wanted.
    func option<Wanted: WireCodable>(
        _ key: Key, as type: Wanted.Type = Wanted.self
    ) throws(DBusError) -> Wanted? {
        guard let value = self[key] else { return nil }
        do throws(DBusError) {
            return try Wanted(value)
        } catch {
            throw DBusError(error.code, "option \(key): \(error.message)", underlying: error)
        }
    }
}
