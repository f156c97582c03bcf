// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// What an instance says of itself when it registers.
struct Registration: Equatable, Sendable {
    /// The longest text that an instance may give, in bytes.
    static let longestText = 1024
    /// The most that an instance may give as `launch`, in bytes of keys and texts.
    static let largestLaunch = 64 << 10

    var name: String?
    var version: String?
    var build: String?
    var icon: String?
    /// The caller's object that implements `Provider1`.
    var provider: ObjectPath?
    /// Preference values from its command line or environment, each `b`, `x`, `d` or `s`.
    var launch: [Key: Value]?

    /// Reads the options of `Register`; unknown keys are ignored.
    ///
    /// - Throws: `DBusError` with code `invalidArgs` for a known key with a value of a wrong type or too long.
    init(options: [Key: Value]) throws(DBusError) {
        name = try Self.text("name", in: options)
        version = try Self.text("version", in: options)
        build = try Self.text("build", in: options)
        icon = try Self.text("icon", in: options)
        provider = try Self.provider(in: options)
        launch = try Self.launch(in: options)
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

    private static func provider(in options: [Key: Value]) throws(DBusError) -> ObjectPath? {
        guard let path: ObjectPath = try options.option("provider") else { return nil }
        guard path.text.utf8.count <= longestText else {
            throw DBusError(.invalidArgs, "option provider: the path is longer than \(longestText) bytes")
        }
        // The bus cuts the connection of who sends to a path that begins so.
        guard !path.text.hasPrefix("/org/freedesktop/DBus/Local") else {
            throw DBusError(.invalidArgs, "option provider: paths from /org/freedesktop/DBus/Local on are reserved")
        }
        return path
    }

    /// Reads the launch values. They are kept as long as the instance lives: there is a bound, and no descriptor is
    /// among them.
    private static func launch(in options: [Key: Value]) throws(DBusError) -> [Key: Value]? {
        guard let given: [Key: Value] = try options.option("launch") else { return nil }
        var values: [Key: Value] = [:]
        var size = 0
        for (key, value) in given.sorted(by: { $0.key < $1.key }) {
            do throws(SentinelError) {
                _ = try Name(key.text, as: "key")
            } catch {
                throw DBusError(.invalidArgs, "option launch: \(error.message)", underlying: error)
            }
            guard let value = value.preference.map(Value.init) else {
                throw DBusError(
                    .invalidArgs,
                    "option launch, key \(key): expected true or false, a 64-bit integer, a finite number or text, "
                        + "got a value of type \(value.unwrapped.type) that does not fit")
            }
            size += key.text.utf8.count
            if case .string(let text) = value {
                size += text.utf8.count
            }
            values[key] = value
        }
        guard size <= largestLaunch else {
            throw DBusError(
                .invalidArgs, "option launch: keys and texts are longer than \(largestLaunch) bytes together")
        }
        return values
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
