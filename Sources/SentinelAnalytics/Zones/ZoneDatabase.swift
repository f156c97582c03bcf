// SPDX-License-Identifier: MIT

import Glibc
import Locking
public import SentinelModels

/// The time zones of the machine (`tzfile(5)`).
///
/// Files are read again when they are others than before, so that an update of the database counts at once.
public final class ZoneDatabase: Sendable {
    /// What a zone was read from.
    private struct Identity: Equatable {
        var device: UInt64
        var number: UInt64
        var size: Int64
        var changed: Int64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            size = Int64(status.st_size)
            changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
        }
    }

    private static let mostKept = 16

    private let directory: String
    private let localFile: String
    private let systemName: @Sendable () -> String?
    private let kept = Guarded([String: (identity: Identity, zone: Zone)]())

    /// The zones below a directory.
    ///
    /// - Parameters:
    ///   - localFile: the zone of the machine (`localtime(5)`).
    ///   - systemName: the name of the session's zone, as far as it is known; called from any thread.
    public init(
        directory: String = "/usr/share/zoneinfo", localFile: String = "/etc/localtime",
        systemName: @escaping @Sendable () -> String?
    ) {
        self.directory = directory
        self.localFile = localFile
        self.systemName = systemName
    }

    /// The zone of a name: `""` for the session's, `UTC` whatever the database has. Reads a file.
    ///
    /// - Throws: `invalidArgs` for what is no zone's name; `unavailable` where its file cannot be read.
    public func zone(_ name: String) throws(SentinelError) -> Zone {
        if name.isEmpty { return try sessionZone() }
        guard name != Zone.utc.name else { return .utc }
        guard Self.isName(name), let path = path(of: name), let zone = try zone(at: path, named: name) else {
            throw SentinelError(
                .invalidArgs, "time_zone: expected a name of the time zone database, as Europe/Berlin, or empty")
        }
        return zone
    }

    /// The name that a zone of a name has, without looking whether there is one; nil where only its file tells.
    func knownName(of name: String) -> String? {
        name.isEmpty ? systemName() : name
    }

    private func sessionZone() throws(SentinelError) -> Zone {
        let name = systemName()
        if let name, name == Zone.utc.name || path(of: name) != nil {
            return try zone(name)
        }
        // Without the database this file can still be there; without the file the zone is UTC.
        return try zone(at: localFile, named: name ?? "localtime") ?? .utc
    }

    /// Where the file of a name is, links followed; nil where that is not below the directory.
    private func path(of name: String) -> String? {
        guard Self.isName(name), let root = Self.resolved(directory), let path = Self.resolved("\(directory)/\(name)")
        else { return nil }
        return path.utf8.starts(with: "\(root)/".utf8) ? path : nil
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Words of letters, digits and `_+-`, with `/` between.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 255
            && name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty && word.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_+-".utf8.contains($0) }
            }
    }

    /// The zone of a file; nil where there is no such regular file.
    private func zone(at path: String, named name: String) throws(SentinelError) -> Zone? {
        // What is no regular file may block when it is opened.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let identity = Identity(status)
        if let known = kept.withLock({ $0[name] }), known.identity == identity { return known.zone }
        guard let bytes = Self.contents(of: file, size: Int(status.st_size)) else {
            throw SentinelError(.unavailable, "the file of the time zone cannot be read")
        }
        let zone = Zone(name: name, rules: try ZoneFile.rules(in: bytes))
        kept.withLock { kept in
            if kept.count >= Self.mostKept {
                kept = [:]
            }
            kept[name] = (identity, zone)
        }
        return zone
    }

    private static func contents(of file: Int32, size: Int) -> [UInt8]? {
        guard size <= ZoneFile.longest else { return nil }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let part = read(file, buffer.baseAddress.map { $0 + count }, size - count)
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { return }
                count += part
            }
        }
    }
}
