// SPDX-License-Identifier: MIT

/// A running sandbox of Flatpak, as `$XDG_RUNTIME_DIR/.flatpak/INSTANCE` tells (flatpak-run(1)).
///
/// Behind `xdg-dbus-proxy` the process that the bus knows is the proxy, which has the `.flatpak-info` of the sandbox that
/// it serves; the application's own process is found from there.
public struct FlatpakInstance: Sendable {
    private let directory: String
    private let id: String
    private let processDirectory: String

    static let maximumByteCount = 16 << 10
    /// How far below the first process of the sandbox the application is looked for.
    private static let maximumDepth = 4

    /// A sandbox.
    /// - Parameters:
    ///   - id: the instance's number, from `.flatpak-info`.
    ///   - runtimeDirectory: `XDG_RUNTIME_DIR`.
    ///   - processDirectory: where processes are, `/proc`.
    /// - Throws: `refused` where the number is none, or the directory is not absolute.
    public init(id: String, runtimeDirectory: String, processDirectory: String = "/proc") throws(FactError) {
        guard Self.isID(id), let directory = DataDirectories.normalized(runtimeDirectory) else {
            throw FactError(.refused, "the number of the Flatpak instance or the runtime directory is not valid")
        }
        self.id = id
        self.directory = "\(directory)/.flatpak/\(id)"
        self.processDirectory = processDirectory
    }

    /// Whether a text is the number of an instance, and thus one element of a path.
    static func isID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 20
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The process id that bubblewrap gives for the first process in the sandbox (`child-pid` in `bwrapinfo.json`).
    /// - Throws: `absent`, `failed`, `tooLarge`, `malformed`.
    public func firstProcessID() throws(FactError) -> Int32 {
        let path = "\(directory)/bwrapinfo.json"
        let bytes = try SmallFile.read(path, limit: Self.maximumByteCount)
        let number = JSONNumber.member("child-pid", of: bytes)
        guard let processID = number.flatMap({ Int32(exactly: $0) }), processID > 1 else {
            throw FactError(.malformed, "it names no process", path: path)
        }
        return processID
    }

    /// The process id of the application's own process: the first process in the sandbox, or where that is bubblewrap as
    /// the sandbox's init the child that it started.
    ///
    /// The number may be another process's by the time it is used: hold it by a pidfd and look at it again, as
    /// ``SandboxProbe`` does.
    /// - Parameter instanceID: tells the number of the instance that a process is in, nil if none; the process must be
    ///   in this one, since the file may be an old one.
    /// - Throws: `absent`, `failed`, `tooLarge`, `malformed`; `refused` where the process is not in this sandbox.
    public func applicationProcessID(
        instanceID: (Int32) -> String? = SandboxFacts.flatpakInstanceID
    ) throws(FactError) -> Int32 {
        var processID = try firstProcessID()
        var depth = 0
        while depth < Self.maximumDepth, isBubblewrap(processID), let child = firstChild(of: processID) {
            processID = child
            depth += 1
        }
        guard instanceID(processID) == id else {
            throw FactError(.refused, "the process that the Flatpak instance names is not in its sandbox")
        }
        return processID
    }

    private func isBubblewrap(_ processID: Int32) -> Bool {
        text("\(processID)/comm") == "bwrap"
    }

    /// The oldest child (`/proc/PID/task/TID/children`, proc(5)).
    private func firstChild(of processID: Int32) -> Int32? {
        let children = text("\(processID)/task/\(processID)/children")?.utf8.split(separator: UInt8(ascii: " "))
        return children?.first.flatMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }

    private func text(_ name: String) -> String? {
        do throws(FactError) {
            let bytes = try SmallFile.read("\(processDirectory)/\(name)", limit: Self.maximumByteCount)
            return String(validating: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        } catch {
            // The process has ended, or is not to be looked into: then it is taken as it is.
            return nil
        }
    }
}
