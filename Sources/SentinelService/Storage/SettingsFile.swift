// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SentinelModels
import SystemFacts

/// A file of settings that other programs read and write too.
struct SettingsFile: Hashable, Sendable {
    /// The largest such file, in bytes.
    static let largest = 1 << 20

    let path: String
    let format: ManifestStorage.FileFormat

    /// The value of a key; nil where the file has none, or is not there.
    ///
    /// - Throws: `unavailable`.
    func value(of key: String, like example: PreferenceValue) throws(SentinelError) -> PreferenceValue? {
        guard let text = try text() else { return nil }
        return try SettingsText.value(of: key, like: example, in: text, format)
    }

    /// The values of several keys, each as ``value(of:like:)`` gives it; the file is read once.
    func values(
        of keys: [(key: String, example: PreferenceValue)]
    ) -> [Result<PreferenceValue?, SentinelError>] {
        do throws(SentinelError) {
            guard let text = try text() else { return keys.map { _ in .success(nil) } }
            let document = try SettingsText(text, format)
            return keys.map { wanted in
                do throws(SentinelError) {
                    return .success(try document.value(of: wanted.key, like: wanted.example))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            return keys.map { _ in .failure(error) }
        }
    }

    /// Writes the value of a key; the file is replaced as a whole, and keeps its permissions.
    ///
    /// - Throws: `unavailable`, `storageFull`, and what ``SettingsText/replacing(_:with:in:_:)`` throws.
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
        let place = try target()
        var status = stat()
        let isThere = stat(place, &status) == 0
        if isThere, status.st_mode & 0o222 == 0 || access(place, W_OK) != 0 {
            throw Self.failure("it may only be read")
        }
        var template = Array("\(place).XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw Self.failure() }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isWritten =
            Self.write(text, to: file) && fchmod(file, isThere ? status.st_mode & 0o7777 : 0o600) == 0
            && fsync(file) == 0
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
        try Self.settle(place)
    }

    /// The place of the file itself: a link stays one, and what it leads to is replaced.
    private func target() throws(SentinelError) -> String {
        if let pointer = realpath(path, nil) {
            defer { free(pointer) }
            return String(cString: pointer)
        }
        guard errno == ENOENT else { throw Self.failure() }
        var status = stat()
        guard lstat(path, &status) != 0 else { throw Self.failure("it is a link that leads to nothing") }
        return path
    }

    /// Sees to it that a file that has just been renamed is still there after the power has failed.
    private static func settle(_ place: String) throws(SentinelError) {
        let directory = place.prefix(upTo: place.lastIndex(of: "/") ?? place.startIndex)
        let descriptor = open(directory.isEmpty ? "/" : String(directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // One that may not be read cannot be asked for this.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Some file systems have nothing of the kind.
        guard fsync(descriptor) != 0, errno != EINVAL, errno != EROFS else { return }
        throw failure()
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failure() -> SentinelError {
        let code = errno
        return failure(
            strerror(code).map { String(cString: $0) } ?? "error \(code)",
            code == ENOSPC || code == EDQUOT ? .storageFull : .unavailable)
    }

    private static func failure(_ reason: String, _ code: SentinelError.Code = .unavailable) -> SentinelError {
        SentinelError(code, "the file of the setting cannot be written: \(reason)")
    }
}
