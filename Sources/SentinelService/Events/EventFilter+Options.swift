// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension EventFilter {
    /// So many ids a filter may name.
    static let idLimit = 10_000
    /// So long a text that is looked for may be, in bytes.
    static let textLimit = 4096

    /// Reads a filter; unknown keys are ignored.
    ///
    /// - Throws: `DBusError` or `SentinelError` with code `invalidArgs` that names the key.
    init(options: [Key: Value]) throws {
        self.init()
        if let texts = try options.option("ids", as: [String].self) {
            guard texts.count <= Self.idLimit else {
                throw SentinelError(.invalidArgs, "option ids: at most \(Self.idLimit) ids are allowed")
            }
            ids = try texts.map { text in try Self.read("ids") { () throws(SentinelError) in try EventID(text) } }
        }
        start = try Self.time("start", options)
        end = try Self.time("end", options)
        type = try Self.name("type", options)
        typePrefix = try Self.text("type_prefix", options, limit: Name.maximumByteCount)
        source = try Self.name("source", options)
        text = try Self.text("text", options, limit: Self.textLimit)
    }

    private static func time(_ key: Key, _ options: [Key: Value]) throws -> Timestamp? {
        guard let microseconds = try options.option(key, as: Int64.self) else { return nil }
        return try read(key) { () throws(SentinelError) in try Timestamp(microseconds: microseconds) }
    }

    private static func name(_ key: Key, _ options: [Key: Value]) throws -> Name? {
        guard let text = try options.option(key, as: String.self) else { return nil }
        return try read(key) { () throws(SentinelError) in try Name(text) }
    }

    /// An empty text is in every text: it is as good as none, and read as that, so that `Delete` does not take it for a
    /// choice.
    private static func text(_ key: Key, _ options: [Key: Value], limit: Int) throws -> String? {
        guard let text = try options.option(key, as: String.self) else { return nil }
        guard text.utf8.count <= limit else {
            throw SentinelError(.invalidArgs, "option \(key): at most \(limit) bytes are allowed")
        }
        return text.isEmpty ? nil : text
    }

    private static func read<Part>(
        _ key: Key, _ body: () throws(SentinelError) -> Part
    ) throws(SentinelError) -> Part {
        do throws(SentinelError) {
            return try body()
        } catch {
            throw SentinelError(error.code, "option \(key): \(error.message)", underlying: error)
        }
    }
}
