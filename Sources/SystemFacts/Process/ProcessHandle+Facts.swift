// SPDX-License-Identifier: MIT

import Glibc

extension ProcessHandle {
    /// Beyond so many threads their context switches are not added up: that would cost milliseconds.
    private static let mostThreads = 256
    /// The namespaces of namespaces(7).
    private static let namespaces: [StaticString] = [
        "ns/cgroup", "ns/ipc", "ns/mnt", "ns/net", "ns/pid", "ns/time", "ns/user", "ns/uts",
    ]
    /// The most that is read of `environ`; execve(2) allows a quarter of the stack's limit, mostly 2 MiB.
    private static let longestEnvironment = 8 << 20

    /// What `stat` tells.
    func statRecord(using buffer: inout FileBuffer) throws(FactError) -> StatRecord {
        let record = try read(stat, into: &buffer, StatRecord.parse)
        if !hasPidfd, record.state == .zombie || record.state == .dead, record.threads <= 1 {
            throw FactError(.processGone, "process \(processID) has ended")
        }
        return record
    }

    /// The number of open file descriptors: since Linux 6.2 the size of `fd`, before the number of its entries.
    func descriptorCount(using buffer: inout FileBuffer) throws(FactError) -> UInt32 {
        if proc.isReal {
            var status = Glibc.stat()
            let result = withCharacters(of: "fd") { fstatat(directory.number, $0, &status, 0) }
            guard result == 0 else { throw factError(for: .current, of: "fd") }
            if let count = UInt32(exactly: status.st_size), count > 0 { return count }
        }
        var count: UInt32 = 0
        do {
            let list = try OwnedDescriptor(path: "fd", below: directory.number, flags: O_RDONLY | O_DIRECTORY)
            while try buffer.fillEntries(from: list.number) {
                let more = buffer.scan { scanner in
                    var entries = DirectoryEntries(scanner)
                    var count: UInt32 = 0
                    while entries.next() != nil {
                        count &+= 1
                    }
                    return count
                }
                count &+= more
            }
        } catch {
            throw factError(for: error, of: "fd")
        }
        return count
    }

    /// The context switches of all threads that there are; `status` of a process tells those of its first thread only.
    func contextSwitches(
        leader: StatusRecord, threads: UInt32, using buffer: inout FileBuffer
    ) throws(FactError) -> UInt64 {
        guard threads <= Self.mostThreads else {
            throw FactError(.absent, "the process has too many threads to add up their context switches")
        }
        guard threads > 1 else {
            guard let switches = leader.contextSwitches else {
                throw FactError(.absent, "the process has no context switches in its status")
            }
            return switches
        }
        var sum: UInt64 = 0
        do {
            let tasks = try OwnedDescriptor(path: "task", below: directory.number, flags: O_RDONLY | O_DIRECTORY)
            var list = FileBuffer()
            while try list.fillEntries(from: tasks.number) {
                list.scan { scanner in
                    var entries = DirectoryEntries(scanner)
                    while let name = entries.next() {
                        sum &+= Self.contextSwitches(ofThread: name, below: tasks, using: &buffer)
                    }
                }
            }
        } catch {
            throw factError(for: error, of: "task")
        }
        return sum
    }

    /// A thread's context switches; 0 if it has ended meanwhile.
    ///
    /// `schedstat` tells how often the thread was given a processor ("Scheduler Statistics" in the kernel's
    /// documentation). That is as often as it has lost one, and once more while it runs, and takes half the time of
    /// `status`.
    private static func contextSwitches(
        ofThread name: ByteScanner, below tasks: borrowing OwnedDescriptor, using buffer: inout FileBuffer
    ) -> UInt64 {
        let number = name.text
        let timeslices = Self.number(in: "\(number)/schedstat", below: tasks, using: &buffer) { scanner in
            var scanner = scanner
            return scanner.skipFields(2) ? scanner.unsigned() : nil
        }
        if let timeslices, timeslices > 0 { return timeslices }
        return Self.number(in: "\(number)/status", below: tasks, using: &buffer) { scanner in
            StatusRecord.parse(scanner)?.contextSwitches
        } ?? 0
    }

    private static func number(
        in path: String, below directory: borrowing OwnedDescriptor, using buffer: inout FileBuffer,
        _ parse: (ByteScanner) -> UInt64?
    ) -> UInt64? {
        do {
            let file = try OwnedDescriptor(path: path, below: directory.number, flags: O_RDONLY)
            try buffer.fill(from: file.number)
        } catch {
            return nil
        }
        return buffer.scan(parse)
    }

    /// What `cmdline` tells.
    func commandLine(using buffer: inout FileBuffer) throws(FactError) -> CommandLine {
        do {
            let isComplete = try buffer.fill(from: "cmdline", below: directory, limit: CommandLine.longest)
            return buffer.scan { CommandLine($0, isComplete: isComplete) }
        } catch {
            throw factError(for: error, of: "cmdline")
        }
    }

    /// What `environ` tells.
    func environment(using buffer: inout FileBuffer) throws(FactError) -> [String: String] {
        do {
            // Where it is longer, and the process has raised its limits for that, its beginning must do.
            try buffer.fill(from: "environ", below: directory, limit: Self.longestEnvironment)
            return buffer.scan(Self.variables)
        } catch {
            throw factError(for: error, of: "environ")
        }
    }

    /// The variables of a whole `environ`. Of one that is there twice the first counts, as for getenv(3); a text without
    /// `=` is no variable.
    private static func variables(_ file: ByteScanner) -> [String: String] {
        var scanner = file
        var variables: [String: String] = [:]
        while var variable = scanner.next(before: 0) {
            guard variable.rest.contains(UInt8(ascii: "=")),
                let name = variable.next(before: UInt8(ascii: "="))?.text, variables[name] == nil
            else { continue }
            variables[name] = variable.text
        }
        return variables
    }

    /// What `cgroup` tells of version 2.
    func controlGroup(using buffer: inout FileBuffer) throws(FactError) -> ControlGroup {
        let group = try read("cgroup", into: &buffer, ControlGroup.parse)
        guard !group.path.isEmpty else {
            throw FactError(.absent, "control groups of version 2 are not in use here")
        }
        return group
    }

    /// The namespaces that are not this process's.
    func foreignNamespaces(using buffer: inout FileBuffer) throws(FactError) -> [String] {
        let own = try proc.ownDirectory()
        var foreign: [String] = []
        var seen = 0
        for name in Self.namespaces {
            // A kernel without this kind of namespace has no such link.
            let ours = Fact { () throws(FactError) in try Self.namespace(name, below: own, using: &buffer) }
            guard let ours = ours.value else { continue }
            let theirs = try target(ofLink: name, using: &buffer)
            seen += 1
            if ours != theirs {
                foreign.append(String(name.description.dropFirst("ns/".count)))
            }
        }
        guard seen > 0 else { throw FactError(.absent, "there are no namespaces here") }
        return foreign
    }

    private static func namespace(
        _ name: StaticString, below directory: borrowing OwnedDescriptor, using buffer: inout FileBuffer
    ) throws(FactError) -> String {
        do {
            try buffer.fill(fromLink: name, below: directory)
        } catch {
            throw error.factError(for: "/proc/self/\(name)")
        }
        return buffer.scan(\.text)
    }

    /// What `attr/current` tells, without the line end or NUL that some modules put after it.
    func securityLabel(using buffer: inout FileBuffer) throws(FactError) -> String {
        let label = try read("attr/current", into: &buffer) { scanner in
            var scanner = scanner
            return scanner.next(before: 0).flatMap { label in
                var label = label
                return label.nextLine()?.text
            }
        }
        guard !label.isEmpty else { throw FactError(.absent, "there is no security label here") }
        return label
    }
}
