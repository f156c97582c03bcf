// SPDX-License-Identifier: MIT

import Glibc
import SentinelModels
import SystemFacts

/// A file of settings that other programs read and write too.
struct SettingsFile: Sendable {
    /// The largest such file, in bytes.
    static let largest = 1 << 20

    let path: String
    let format: ManifestStorage.FileFormat

    /// The value of a key; nil where the file has none, or is not there.
    ///
    /// - Throws: `invalidValue`, `unavailable`.
    func value(of key: String, like example: PreferenceValue) throws(SentinelError) -> PreferenceValue? {
        guard let text = try text() else { return nil }
        return try SettingsText.value(of: key, like: example, in: text, format)
    }

    /// Writes the value of a key; the file is replaced as a whole, and keeps its permissions.
    ///
    /// - Throws: `unavailable`, `storageFull`.
    func set(_ key: String, to value: PreferenceValue) throws(SentinelError) {
        let text = try text() ?? []
        let changed = try SettingsText.replacing(key, with: value, in: text, format)
        if changed != text {
            try replace(with: changed)
        }
    }

    private func text() throws(SentinelError) -> [UInt8]? {
        do throws(FactError) {
            return try SmallFile.read(path, limit: Self.largest)
        } catch {
            if error.code == .absent { return nil }
            throw SentinelError(.unavailable, "the file of the setting cannot be read: \(error.message)")
        }
    }

    private func replace(with text: [UInt8]) throws(SentinelError) {
        // A link stays one: what it leads to is replaced.
        let target = realpath(path, nil).map { pointer in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        let place = target ?? path
        var status = stat()
        let mode = stat(place, &status) == 0 ? status.st_mode & 0o7777 : 0o600
        var template = Array("\(place).XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw Self.failure() }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isWritten = Self.write(text, to: file) && fchmod(file, mode) == 0 && fsync(file) == 0
        let reason = isWritten ? nil : Self.failure()
        close(file)
        if let reason {
            unlink(temporary)
            throw reason
        }
        guard rename(temporary, place) == 0 else {
            let reason = Self.failure()
            unlink(temporary)
            throw reason
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failure() -> SentinelError {
        let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        return SentinelError(
            errno == ENOSPC || errno == EDQUOT ? .storageFull : .unavailable,
            "the file of the setting cannot be written: \(reason)")
    }
}
