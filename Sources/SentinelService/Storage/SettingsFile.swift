// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SentinelModels
import SystemFacts

/// A file of settings that other programs read and write too.
struct SettingsFile: Hashable, Sendable {
    /// The largest such file, in bytes.
    static let largest = 1 << 20
    /// A value is written so often at most while another program keeps changing the file.
    private static let attempts = 8

    let path: String
    let format: ManifestStorage.FileFormat

    /// The value of a key; nil where the file has none, or is not there.
    ///
    /// - Throws: `unavailable`.
    func value(of key: String, like example: PreferenceValue) throws(SentinelError) -> PreferenceValue? {
        guard let text = try version().text else { return nil }
        return try SettingsText.value(of: key, like: example, in: text, format)
    }

    /// The values of several keys, each as ``value(of:like:)`` gives it; the file is read once.
    func values(
        of keys: [(key: String, example: PreferenceValue)]
    ) -> [Result<PreferenceValue?, SentinelError>] {
        do throws(SentinelError) {
            guard let text = try version().text else { return keys.map { _ in .success(nil) } }
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

    /// Writes the value of a key; the file is replaced as a whole, and keeps its group and permissions.
    ///
    /// - Throws: `unavailable`, `storageFull`, and what ``SettingsText/replacing(_:with:in:_:)`` throws.
    func set(_ key: String, to value: PreferenceValue) throws(SentinelError) {
        try change { (text) throws(SentinelError) in
            try SettingsText.replacing(key, with: value, in: text, format)
        }
    }

    /// Puts what `edit` makes of the text of the file in its place, anew where another program has changed the file
    /// meanwhile.
    func change(
        pause: () -> Void = Self.pause, _ edit: ([UInt8]) throws(SentinelError) -> [UInt8]
    ) throws(SentinelError) {
        for _ in 0..<Self.attempts {
            let found = try version(pause: pause)
            let text = found.text ?? []
            let changed = try edit(text)
            if changed == text { return }
            if try replace(found.state, with: changed) { return }
        }
        throw Self.failure("another program keeps changing it")
    }

    /// What the file holds, and the state that it had before it was read; nil where there is none.
    private func version(
        pause: () -> Void = Self.pause
    ) throws(SentinelError) -> (state: FileState?, text: [UInt8]?) {
        let found = (state: FileState(of: path), text: try text())
        guard found.text?.isEmpty == true else { return found }
        // A program that saves it in place may have emptied it just now.
        pause()
        return (FileState(of: path), try text())
    }

    private static func pause() { usleep(100_000) }

    private func text() throws(SentinelError) -> [UInt8]? {
        do throws(FactError) {
            return try SmallFile.read(path, limit: Self.largest)
        } catch {
            if error.code == .absent { return nil }
            throw SentinelError(.unavailable, "the file of the setting cannot be read: \(error.message)")
        }
    }

    /// Replaces the file if it still is in a state; whether it was.
    private func replace(_ state: FileState?, with text: [UInt8]) throws(SentinelError) -> Bool {
        let place = try target()
        var status = stat()
        let isThere = stat(place, &status) == 0
        if isThere, status.st_mode & 0o222 == 0 || access(place, W_OK) != 0 {
            throw Self.failure("it may only be read")
        }
        let temporary = "\(place).\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        // Has no name until it is whole, so that nothing of it stays if the service is killed.
        var file = open(Self.directory(of: place), Int32(CLINUX_O_TMPFILE) | O_WRONLY | O_CLOEXEC, 0o600)
        let isNamed = file < 0
        if isNamed {
            // Not every file system has such files.
            file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        }
        guard file >= 0 else { throw Self.failure() }
        defer { close(file) }
        guard Self.write(text, to: file), !isThere || Self.keep(status, for: file), fsync(file) == 0,
            isNamed || linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0
        else { throw Self.failure(removing: isNamed ? temporary : nil) }
        guard FileState(of: path) == state else {
            unlink(temporary)
            return false
        }
        guard rename(temporary, place) == 0 else { throw Self.failure(removing: temporary) }
        try Self.settle(place)
        return true
    }

    /// Gives a new file the group and the permissions of the one that it replaces; another group gets none of them.
    private static func keep(_ status: stat, for file: Int32) -> Bool {
        let hasGroup = fchown(file, uid_t.max, status.st_gid) == 0
        return fchmod(file, status.st_mode & (hasGroup ? 0o7777 : 0o5707)) == 0
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
        let descriptor = open(directory(of: place), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // One that may not be read cannot be asked for this.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Some file systems have nothing of the kind.
        guard fsync(descriptor) != 0, errno != EINVAL, errno != EROFS else { return }
        throw failure()
    }

    private static func directory(of place: String) -> String {
        let directory = place.prefix(upTo: place.lastIndex(of: "/") ?? place.startIndex)
        return directory.isEmpty ? "/" : String(directory)
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

    /// Why the last call failed; what it was to write is removed.
    private static func failure(removing temporary: String? = nil) -> SentinelError {
        let code = errno
        if let temporary { unlink(temporary) }
        return failure(
            strerror(code).map { String(cString: $0) } ?? "error \(code)",
            code == ENOSPC || code == EDQUOT ? .storageFull : .unavailable)
    }

    private static func failure(_ reason: String, _ code: SentinelError.Code = .unavailable) -> SentinelError {
        SentinelError(code, "the file of the setting cannot be written: \(reason)")
    }
}
