// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// One process, held so that another one that gets its number later is never taken for it; usable on every thread.
///
/// It holds the process's directory in proc(5), whose files fail once the process has ended, and a pidfd
/// (pidfd_open(2)) that tells that it has; holding them keeps neither the process nor its number. What repeated
/// readings need is kept open as well, from its first use on.
public final class ProcessHandle: Sendable {
    /// The process's number when it was found. It may be another one's after the end.
    public let processID: Int32

    let proc: ProcFS
    let directory: OwnedDescriptor
    let stat = HeldFile("stat")
    let status = HeldFile("status")
    let io = HeldFile("io")
    private let pidfd: OwnedDescriptor?

    /// Finds a process by its number.
    ///
    /// - Throws: ``FactError``: `processGone` if there is none; `denied` if the file system hides it (`hidepid` in
    ///   proc(5)).
    public init(processID: Int32, in proc: ProcFS = .system) throws(FactError) {
        guard processID > 0 else { throw Self.gone(processID) }
        self.processID = processID
        self.proc = proc
        // The directory belongs to the pidfd's process if that one still runs when the directory is open.
        let pidfd = try Self.pidfd(of: processID, in: proc)
        do {
            directory = try proc.directory("\(processID)", flags: Int32(CLINUX_O_PATH))
        } catch {
            guard error.code == ENOENT || error.code == ESRCH else { throw error.factError(for: "/proc/\(processID)") }
            if case .some(let descriptor) = pidfd, descriptor.processRuns {
                throw FactError(.denied, "process \(processID) is hidden")
            }
            throw Self.gone(processID)
        }
        self.pidfd = pidfd
        guard isAlive else { throw Self.gone(processID) }
    }

    /// Finds a process by the number that the bus reports, or a caller gives.
    ///
    /// - Throws: ``FactError`` as ``init(processID:in:)``; `processGone` for a number that no process can have.
    public convenience init(reported processID: UInt32, in proc: ProcFS = .system) throws(FactError) {
        guard let number = Int32(exactly: processID) else { throw Self.gone(processID) }
        try self.init(processID: number, in: proc)
    }

    /// Whether the process runs. One that has ended and waits for its parent to notice does not.
    public var isAlive: Bool {
        switch pidfd {
        case .some(let descriptor): return descriptor.processRuns
        case .none: return faccessat(directory.number, "stat", F_OK, 0) == 0
        }
    }

    /// Whether the end of the process shows at once; without, one that waits for its parent looks alive.
    var hasPidfd: Bool {
        switch pidfd {
        case .some: true
        case .none: false
        }
    }

    /// Passes if the process runs, so that all that was read of it so far was its own.
    ///
    /// - Throws: ``FactError`` `processGone`.
    public func checkAlive() throws(FactError) {
        guard isAlive else { throw Self.gone(processID) }
    }

    /// The number that system calls know the process by; nil where the file system's numbers are not this process's.
    var systemProcessID: Int32? {
        proc.namesOurProcesses ? processID : nil
    }

    /// Reads a file that is kept open and takes its facts out of it.
    func read<Record>(
        _ file: borrowing HeldFile, into buffer: inout FileBuffer, _ parse: (ByteScanner) -> Record?
    ) throws(FactError) -> Record {
        do {
            let descriptor = try file.descriptor(below: directory)
            try buffer.fill(from: descriptor)
        } catch {
            throw factError(for: error, of: file.name)
        }
        return try parsed(buffer, of: file.name, parse)
    }

    /// Opens and reads a file and takes its facts out of it.
    func read<Record>(
        _ name: StaticString, into buffer: inout FileBuffer, _ parse: (ByteScanner) -> Record?
    ) throws(FactError) -> Record {
        do {
            try buffer.fill(from: name, below: directory)
        } catch {
            throw factError(for: error, of: name)
        }
        return try parsed(buffer, of: name, parse)
    }

    /// Reads where a symbolic link leads.
    func target(ofLink name: StaticString, using buffer: inout FileBuffer) throws(FactError) -> String {
        do {
            try buffer.fill(fromLink: name, below: directory)
        } catch {
            throw factError(for: error, of: name)
        }
        return buffer.scan(\.text)
    }

    /// What a failure to read one of the process's files means: its end, if it has ended.
    func factError(for failure: SystemFailure, of name: StaticString) -> FactError {
        isAlive ? failure.factError(for: "/proc/\(processID)/\(name)") : Self.gone(processID)
    }

    private func parsed<Record>(
        _ buffer: borrowing FileBuffer, of name: StaticString, _ parse: (ByteScanner) -> Record?
    ) throws(FactError) -> Record {
        guard let record = buffer.scan(parse) else {
            throw FactError(.malformed, "/proc/\(processID)/\(name) is not what proc(5) says")
        }
        return record
    }

    /// A pidfd; nil where this kernel, or a filter of its calls, has none.
    private static func pidfd(of processID: Int32, in proc: ProcFS) throws(FactError) -> OwnedDescriptor? {
        guard proc.namesOurProcesses else { return nil }
        let number = clinux_pidfd_open(processID)
        if number >= 0 { return OwnedDescriptor(owning: number) }
        let failure = SystemFailure.current
        switch failure.code {
        // EINVAL, and ENOENT of later kernels: a thread's number is no process's.
        case ESRCH, EINVAL, ENOENT: throw gone(processID)
        case ENOSYS, EPERM, EACCES: return nil
        default: throw failure.factError(for: "process \(processID)")
        }
    }

    private static func gone(_ processID: some BinaryInteger) -> FactError {
        FactError(.processGone, "there is no process \(processID)")
    }
}
