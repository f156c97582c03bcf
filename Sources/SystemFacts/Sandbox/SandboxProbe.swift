// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Finds out what confines a process, in a way that the process cannot change under the reader's hands.
public enum SandboxProbe {
    /// A process that has ended before all was read.
    public struct ProcessGone: Error {}

    /// Nothing was found out, since this process, or the machine, has no descriptor left.
    public struct OutOfDescriptors: Error {}

    /// The longest `.flatpak-info` that is read, in bytes; real ones have less than 4 KiB.
    private static let longestInfo = 64 << 10

    /// Tells what confines a process.
    ///
    /// Flatpak leaves `.flatpak-info` in the root of its sandboxes (flatpak-metadata(5)); it is opened relative to the
    /// process's own directory in `/proc`, which stays that of this process, and the process must still live afterwards
    /// (a pidfd tells), so that no other process with the same number is meant. Snap is known by the AppArmor label
    /// that the bus tells. Where a live process's root cannot be read, that counts as a sandbox without an id.
    ///
    /// - Parameter securityLabel: what the bus calls `LinuxSecurityLabel`.
    /// - Throws: ``ProcessGone``, ``OutOfDescriptors``.
    public static func sandbox(of processID: Int32, securityLabel: String?) throws -> Sandbox {
        if let securityLabel, let name = snapName(in: securityLabel) {
            return .snap(name: name)
        }
        let process = try Descriptor(clinux_pidfd_open(processID))
        let directory = try Descriptor(open("/proc/\(processID)", Int32(CLINUX_O_PATH) | O_DIRECTORY | O_CLOEXEC))
        guard process.isOpen, directory.isOpen else { throw ProcessGone() }
        let sandbox = try flatpak(in: directory)
        guard process.isAlive else { throw ProcessGone() }
        return sandbox
    }

    private static func flatpak(in directory: borrowing Descriptor) throws -> Sandbox {
        let root = try Descriptor(openat(directory.number, "root", Int32(CLINUX_O_PATH) | O_DIRECTORY | O_CLOEXEC))
        guard root.isOpen else { return .unidentified }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = try Descriptor(openat(root.number, ".flatpak-info", flags))
        guard file.isOpen else { return file.error == ENOENT ? .none : .unidentified }
        guard let info = file.readRegularFile(limit: longestInfo), let name = applicationName(in: info) else {
            return .unidentified
        }
        return .flatpak(application: name)
    }

    /// The application's name in the key file `.flatpak-info`: `name` in the group `Application` or `Runtime`.
    static func applicationName(in info: String) -> String? {
        var group: Substring = ""
        for line in info.split(separator: "\n") {
            if line.hasPrefix("["), line.hasSuffix("]") {
                group = line.dropFirst().dropLast()
            } else if group == "Application" || group == "Runtime", line.hasPrefix("name=") {
                let name = line.dropFirst("name=".count)
                return name.isEmpty ? nil : String(name)
            }
        }
        return nil
    }

    /// The snap's name in an AppArmor label such as `snap.firefox.firefox (enforce)`.
    static func snapName(in label: String) -> String? {
        let parts = label.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "snap", !parts[1].isEmpty else { return nil }
        return String(parts[1])
    }
}

/// A file descriptor of the probe, closed at the end of its scope.
private struct Descriptor: ~Copyable {
    let number: Int32
    /// Why it could not be opened.
    let error: Int32

    /// Takes over what a call has returned.
    ///
    /// - Throws: `OutOfDescriptors` where that is why there is none: it says nothing of the process.
    init(_ number: Int32) throws {
        self.number = number
        error = number < 0 ? errno : 0
        if [EMFILE, ENFILE, ENOMEM].contains(error) {
            throw SandboxProbe.OutOfDescriptors()
        }
    }

    deinit {
        if isOpen {
            close(number)
        }
    }

    var isOpen: Bool { number >= 0 }

    /// Whether the process of a pidfd runs: its descriptor becomes readable when it ends (pidfd_open(2)).
    var isAlive: Bool {
        var ended = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&ended, 1, 0) == 0
    }

    /// The text of a regular file; nil if it is none, too long or not UTF-8.
    func readRegularFile(limit: Int) -> String? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let room = limit - count
            let more = bytes.withUnsafeMutableBytes { read(number, $0.baseAddress?.advanced(by: count), room) }
            guard more > 0 else { break }
            count += more
        }
        return String(validating: bytes.prefix(count), as: UTF8.self)
    }
}
