// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SentinelModels
import SystemFacts

/// The manifests that are in directories: what they say, or what is wrong with them.
struct ManifestFiles: Sendable {
    /// One file.
    struct File: Sendable {
        let path: String
        let application: ApplicationID
        /// Whether the path is that of a link to it.
        let isLink: Bool
        /// What tells one state of the file from another; nil where it could not be read.
        fileprivate(set) var identity: FileState?
        /// What it said when it was last right; nil if it never was.
        var manifest: Manifest?
        /// What is wrong with it now.
        var problem: ManifestProblem?

        /// The places of members that mean nothing.
        var unknownMembers: [String] {
            guard let manifest else { return [] }
            let options = manifest.triggers.enumerated().flatMap { index, trigger in
                TriggerPlan.unknownOptions(of: trigger).map { "triggers[\(index)].options.\($0)" }
            }
            return manifest.unknownMembers + options
        }

        fileprivate var directory: Substring {
            path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        }
    }

    /// So many manifests are read of one directory.
    private static let mostFiles = 1000
    private static let ending = ".json"

    /// The files by application, each application's strongest first.
    private(set) var files: [ApplicationID: [File]] = [:]
    /// What is wrong with directories, and with files that are of no application.
    private(set) var problems: [String] = []
    /// Whether all directories that are there could be read.
    private(set) var isWhole = true

    /// Nothing read yet.
    init() {}

    /// What several readings have found, that of the strongest directory first.
    init(_ readings: [ManifestFiles]) {
        for reading in readings {
            files.merge(reading.files) { $0 + $1 }
            problems += reading.problems
            isWhole = isWhole && reading.isWhole
        }
    }

    /// What is known of a directory that has not been answered for.
    init(without directory: String, since earlier: ManifestFiles) {
        miss(directory, "it does not answer", earlier)
    }

    /// Reads directories, the strongest first; what has not changed since another reading, and what was in a directory
    /// that cannot be read now, is taken from that.
    init(in directories: [String], limits: Manifest.Limits, since earlier: ManifestFiles) {
        for directory in directories {
            let names: [String]
            do throws(SentinelError) {
                names = try Self.names(in: directory, ending: Self.ending)
            } catch {
                miss(directory, error.message, earlier)
                continue
            }
            if names.count > Self.mostFiles {
                problems.append("\(directory): only the first \(Self.mostFiles) manifests are read")
            }
            for name in names.prefix(Self.mostFiles) {
                let path = "\(directory)/\(name)"
                do throws(SentinelError) {
                    let id = try ApplicationID(String(name.dropLast(Self.ending.count)))
                    let known = earlier.files[id]?.first { $0.path == path }
                    files[id, default: []].append(Self.file(path, of: id, limits, since: known))
                } catch {
                    problems.append("\(path): the name is not that of an application: \(error.message)")
                }
            }
        }
    }

    /// Takes over what an earlier reading has found in a directory that cannot be read.
    private mutating func miss(_ directory: String, _ reason: String, _ earlier: ManifestFiles) {
        isWhole = false
        problems.append("\(directory): it cannot be read: \(reason)")
        for (id, candidates) in earlier.files {
            let kept = candidates.filter { $0.directory.utf8.elementsEqual(directory.utf8) }
            if !kept.isEmpty {
                files[id, default: []] += kept
            }
        }
    }

    private static func file(
        _ path: String, of id: ApplicationID, _ limits: Manifest.Limits, since known: File?
    ) -> File {
        let identity = FileState(of: path)
        if let known, let identity, known.identity == identity { return known }
        var file = File(
            path: path, application: id, isLink: isLink(path), identity: identity, manifest: known?.manifest)
        do throws(FactError) {
            let bytes = try SmallFile.read(path, limit: Manifest.largestFile)
            do throws(ManifestProblem) {
                let manifest = try Manifest(parsing: bytes, of: id, limits: limits)
                try checkTriggers(of: manifest)
                file.manifest = manifest
            } catch {
                file.problem = error
            }
        } catch {
            // That can be over without a change of the file.
            file.identity = nil
            file.problem = ManifestProblem("", error.message)
        }
        return file
    }

    /// Tells of the first trigger that cannot be.
    private static func checkTriggers(of manifest: Manifest) throws(ManifestProblem) {
        for (index, trigger) in manifest.triggers.enumerated() {
            do throws(SentinelError) {
                // Where the user's home is makes no difference.
                _ = try trigger.expanding(home: "").map(TriggerPlan.init)
            } catch {
                throw ManifestProblem("triggers[\(index)]", error.message)
            }
        }
    }

    /// Whether a path is a link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The names of the files in a directory that end in some way, sorted; none where there is no directory.
    ///
    /// - Throws: why a directory cannot be read that may be there.
    static func names(in directory: String, ending: String) throws(SentinelError) -> [String] {
        guard let stream = opendir(directory) else {
            guard errno == ENOENT || errno == ENOTDIR else { throw SentinelError(.unavailable, systemReason()) }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SentinelError(.unavailable, systemReason()) }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            // What editors and package managers put beside a file begins with a dot or ends otherwise.
            if name.utf8.first != UInt8(ascii: "."), name.hasSuffix(ending) {
                names.append(name)
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// What the system says of the last thing that has failed.
private func systemReason() -> String {
    let code = errno
    return strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
