// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Finds out what confines a process, in a way that the process cannot change under the reader's hands.
public enum SandboxProbe {
    /// Why nothing was found out.
    public enum Failure: Error {
        /// The process has ended before all was read.
        case processGone
        /// This process, or the machine, has no descriptor left, which says nothing of the process asked about.
        case outOfDescriptors
    }

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
    /// - Throws: ``Failure``.
    public static func sandbox(of processID: Int32, securityLabel: String?) throws(Failure) -> Sandbox {
        try inspect(processID, securityLabel: securityLabel).sandbox
    }

    /// Tells what confines a process in the same way, with the text of the `.flatpak-info` that tells it.
    static func inspect(
        _ processID: Int32, securityLabel: String?
    ) throws(Failure) -> (sandbox: Sandbox, flatpakInfo: String?) {
        if let securityLabel, let name = snapName(in: securityLabel) {
            return (.snap(name: name), nil)
        }
        let findings: (sandbox: Sandbox, flatpakInfo: String?)
        do throws(SystemFailure) {
            let process = try OwnedDescriptor(process: processID)
            findings = try flatpak(in: try OwnedDescriptor(directory: "/proc/\(processID)"))
            guard process.processRuns else { throw SystemFailure(code: ESRCH) }
        } catch {
            throw error.isLackOfDescriptors ? .outOfDescriptors : .processGone
        }
        return findings
    }

    /// Reads `.flatpak-info` below the root of a process.
    ///
    /// - Throws: `SystemFailure` for a lack of descriptors only: each other failure tells of the sandbox.
    private static func flatpak(
        in directory: consuming OwnedDescriptor
    ) throws(SystemFailure) -> (sandbox: Sandbox, flatpakInfo: String?) {
        do throws(SystemFailure) {
            let root = try OwnedDescriptor(
                path: "root", below: directory.number, flags: Int32(CLINUX_O_PATH) | O_DIRECTORY)
            return try flatpak(inRoot: root)
        } catch {
            guard !error.isLackOfDescriptors else { throw error }
            return (.unidentified, nil)
        }
    }

    private static func flatpak(
        inRoot root: borrowing OwnedDescriptor
    ) throws(SystemFailure) -> (sandbox: Sandbox, flatpakInfo: String?) {
        do throws(SystemFailure) {
            let file = try OwnedDescriptor(
                path: ".flatpak-info", below: root.number, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
            guard let info = try text(of: file), let name = applicationName(in: info) else {
                return (.unidentified, nil)
            }
            return (.flatpak(application: name), info)
        } catch {
            guard error.code == ENOENT else { throw error }
            return (.none, nil)
        }
    }

    /// The text of a regular file; nil if it is none, too long or not UTF-8.
    private static func text(of file: borrowing OwnedDescriptor) throws(SystemFailure) -> String? {
        guard try file.status.isRegular else { return nil }
        let (bytes, isComplete) = try file.read(limit: longestInfo)
        return isComplete ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// The application's name in the key file `.flatpak-info`: `name` in the group `Application` or `Runtime`.
    static func applicationName(in info: String) -> String? {
        var hasName = false
        for line in info.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") {
                hasName = ["[Application]", "[Runtime]"].contains { line.elementsEqual($0.utf8) }
            } else if hasName, line.starts(with: "name=".utf8) {
                let name = line.dropFirst("name=".utf8.count)
                return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
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
