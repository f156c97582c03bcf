// SPDX-License-Identifier: MIT

/// A key file: the syntax of desktop entries (Desktop Entry Specification, "Basic format of the file"), which Flatpak uses
/// for its metadata too.
///
/// A file is read line by line, and what is wrong with a line costs that line alone: it is skipped and told in
/// ``problems``. That holds for bytes that are not UTF-8 as well: one translation in an old encoding does not take away an
/// application's name, and replacement characters would show what nobody has written. Where a key comes twice the later
/// one counts, groups of one name are one, as in GLib.
public struct KeyFile: Sendable {
    /// The longest file that is read, in bytes.
    public static let maximumByteCount = 1 << 20

    /// The most keys that a file may have, groups and translations counted too.
    public static let maximumKeyCount = 50_000

    /// How many problems are kept.
    public static let maximumProblemCount = 100

    /// Names of the groups, in the order of the file.
    public private(set) var groups: [String] = []

    /// What is wrong with the file, at most ``KeyFile/maximumProblemCount`` of it, in the order of its lines.
    public private(set) var problems: [KeyFileProblem] = []

    private var keyCount = 0
    private var values: [String: [String: Values]] = [:]

    /// A key's value, as it stands in the file, and its translations.
    private struct Values: Sendable {
        var text: String?
        var translations: [LocaleName: String] = [:]
    }

    /// Reads a file's bytes. Linear in their number.
    /// - Throws: `tooLarge`.
    public init(_ bytes: some Collection<UInt8>) throws(FactError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw FactError(.tooLarge, "a key file of more than \(Self.maximumByteCount) bytes is not read")
        }
        var cursor = ByteCursor(bytes)
        // Some editors begin a file with a byte order mark.
        _ = cursor.take("\u{FEFF}")
        var group: String?
        var number = 0
        while !cursor.isAtEnd {
            let line = cursor.take { $0 != UInt8(ascii: "\n") }
            _ = cursor.take()
            number += 1
            do throws(KeyFileProblem.Reason) {
                try read(line, number, &group)
            } catch {
                report(error, number)
            }
            guard keyCount <= Self.maximumKeyCount else {
                throw FactError(.tooLarge, "a key file of more than \(Self.maximumKeyCount) keys is not read")
            }
        }
    }

    /// Reads a file.
    /// - Throws: `absent`, `failed`, `tooLarge`; `refused` for a path that is not absolute.
    public init(path: String) throws(FactError) {
        try self.init(SmallFile.read(path, limit: Self.maximumByteCount))
    }

    /// Keys of a group, sorted; empty where there is no such group.
    public func keys(in group: String) -> [String] {
        (values[group] ?? [:]).keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// A value without its escapes (`\s`, `\n`, `\t`, `\r`, `\\`; others stay as they are).
    public func text(_ key: String, in group: String) -> String? {
        rawText(key, in: group).map(KeyFileValue.text)
    }

    /// A value in the best of the locales: all fallbacks of the first, then those of the next, then the value without a
    /// locale.
    public func text(_ key: String, in group: String, for locales: [LocaleName]) -> String? {
        rawText(key, in: group, for: locales).map(KeyFileValue.text)
    }

    /// A list, its elements separated by `;`, where `\;` is part of one; the `;` after the last may be missing.
    public func list(_ key: String, in group: String) -> [String]? {
        rawText(key, in: group).map(KeyFileValue.list)
    }

    /// A list in the best of the locales.
    public func list(_ key: String, in group: String, for locales: [LocaleName]) -> [String]? {
        rawText(key, in: group, for: locales).map(KeyFileValue.list)
    }

    /// A boolean: `true` or `false`, or `1` or `0` as in old files; nil for all else.
    public func flag(_ key: String, in group: String) -> Bool? {
        rawText(key, in: group).flatMap(KeyFileValue.flag)
    }

    /// Locales for which a key has a translation, sorted.
    public func locales(of key: String, in group: String) -> [LocaleName] {
        (values[group]?[key]?.translations.keys).map { $0.sorted() } ?? []
    }

    private func rawText(_ key: String, in group: String) -> String? {
        values[group]?[key]?.text
    }

    private func rawText(_ key: String, in group: String, for locales: [LocaleName]) -> String? {
        guard let found = values[group]?[key] else { return nil }
        guard !found.translations.isEmpty else { return found.text }
        for name in locales.lazy.flatMap(\.fallbacks) {
            if let text = found.translations[name] {
                return text
            }
        }
        return found.text
    }

    private mutating func report(_ reason: KeyFileProblem.Reason, _ line: Int) {
        if problems.count < Self.maximumProblemCount {
            problems.append(KeyFileProblem(line: line, reason: reason))
        }
    }

    private mutating func read(
        _ bytes: ArraySlice<UInt8>, _ number: Int, _ group: inout String?
    ) throws(KeyFileProblem.Reason) {
        switch try KeyFileLine(bytes) {
        case .nothing:
            break
        case .group(let name):
            group = name
            keyCount += 1
            if values[name] == nil {
                values[name] = [:]
                groups.append(name)
            } else {
                report(.repeatedGroup, number)
            }
        case .value(let key, let locale, let text):
            guard let group else { throw .noGroup }
            try set(key, locale, text, in: group, number)
        }
    }

    private mutating func set(
        _ key: String, _ locale: String?, _ text: String, in group: String, _ line: Int
    ) throws(KeyFileProblem.Reason) {
        // Changed in its place: a copy of all translations for each would make the time quadratic.
        let previous: String?
        if let locale {
            guard let name = LocaleName(locale) else { throw .badLocale }
            previous = values[group, default: [:]][key, default: Values()].translations.updateValue(text, forKey: name)
        } else {
            previous = values[group]?[key]?.text
            values[group, default: [:]][key, default: Values()].text = text
        }
        keyCount += 1
        if previous != nil {
            report(.repeatedKey, line)
        }
    }
}
