// SPDX-License-Identifier: MIT

import CLinux
import Foundation
import SystemFacts
import TestSupport
import Testing

@Suite("Process status of real processes", .timeLimit(.minutes(5)))
struct ProcessStatusLiveTests {
    @Test("the facts are those that ps(1) and /proc tell")
    func comparison() async throws {
        let child = try ChildProcess(
            ["sleep", "100"], environment: ["LANG": "de_DE.UTF-8", "LC_TIME": "en_GB.UTF-8"],
            removing: ["LC_ALL", "LC_MESSAGES"], directory: "/usr/bin")
        try await waitUntilAsleep(child)
        let status = try ProcessStatus.read(try ProcessHandle(processID: child.identifier))
        let columns = "pid=,ppid=,nlwp=,rss=,ruid=,euid=,lstart=,comm="
        let listed = try await Command.run(
            ["ps", "-o", columns, "-p", "\(child.identifier)"], environment: ["TZ": "UTC", "LC_ALL": "C"])
        let fields = listed.output.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(fields.count == 12)
        #expect(fields.prefix(3) == ["\(status.processID)", "\(status.parentID)", "\(status.threads)"])
        let resident = try #require(status.residentBytes.value)
        #expect(fields[3] == "\(resident >> 10)")
        #expect(fields[4] == "\(try #require(status.userID.value))")
        #expect(fields[5] == "\(try #require(status.effectiveUserID.value))")
        #expect(fields[11] == status.name)

        // ps counts in seconds from a time of start that is itself rounded.
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE MMM d HH:mm:ss yyyy"
        let listedStart = try #require(formatter.date(from: fields[6...10].joined(separator: " ")))
        let start = try #require(status.startTime.value)
        #expect(abs(Double(start) / 1e6 - listedStart.timeIntervalSince1970) < 2)

        #expect(status.parentID == getpid())
        #expect(status.executable.value?.path == (try link(child, "exe")))
        #expect(status.executable.value?.isDeleted == false)
        #expect(status.workingDirectory == .success("/usr/bin"))
        #expect(status.commandLine.value?.arguments == ["sleep", "100"])
        #expect(status.environment.value.map { MessageLocale(environment: $0).name } == "de_DE.UTF-8")
        #expect(status.environment.value?["LC_TIME"] == "en_GB.UTF-8")
        #expect(status.foreignNamespaces == .success([]))
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.identifier)/fd")
        #expect(status.fileDescriptors == .success(UInt32(descriptors.count)))
        let switches = try numbers(child, "status", ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"])
        #expect(try #require(status.contextSwitches.value) <= switches.reduce(0, +))
        #expect(status.peakResidentBytes == .success(try numbers(child, "status", ["VmHWM"])[0] << 10))
        let proportional = try #require(status.proportionalBytes.value)
        #expect(proportional > 0 && proportional <= resident)
        let traffic = try numbers(child, "io", ["read_bytes", "write_bytes"])
        #expect(status.storage.value?.readBytes == traffic[0])
        #expect(status.storage.value?.writtenBytes == traffic[1])
    }

    @Test("a start is told alike each time, lies before now and after an earlier start")
    func startTimes() throws {
        let before = Date().timeIntervalSince1970 * 1e6
        let first = try ChildProcess(["sleep", "100"])
        let second = try ChildProcess(["sleep", "100"])
        let after = Date().timeIntervalSince1970 * 1e6
        let handle = try ProcessHandle(processID: first.identifier)
        let start = try #require(try ProcessStatus.read(handle).startTime.value)
        let later = try #require(
            try ProcessStatus.read(try ProcessHandle(processID: second.identifier)).startTime.value)
        // Ticks are cut off; slewing of the clock since the first reading of the boot time is not followed.
        #expect(Double(start) > before - 20_000 && Double(start) <= after + 10_000)
        #expect(start <= later)
        for _ in 0..<100 {
            #expect(try ProcessStatus.read(handle).startTime == .success(start))
        }
    }

    @Test("a program of any name is read right", arguments: ["a) R 1 (b", "x\n1 (y) Z 2", "(deleted)", "ä) S 1"])
    func hostileName(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let program = directory.path(of: name)
        try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program)
        let child = try ChildProcess([program, "100"])
        try await waitUntilAsleep(child)
        let handle = try ProcessHandle(processID: child.identifier)
        let status = try ProcessStatus.read(handle)
        #expect(status.name == name)
        #expect(status.parentID == getpid())
        #expect(status.threads == 1)
        #expect(status.executable.value?.path == program)
        #expect(status.commandLine.value?.arguments == [program, "100"])
        try FileManager.default.removeItem(atPath: program)
        let path = try #require(try ProcessStatus.read(handle).executable.value)
        #expect(path.path == program)
        #expect(path.isDeleted)
    }

    @Test("a kernel thread has no program and no memory", .enabled(if: kernelThreadIsVisible))
    func kernelThread() throws {
        let status = try ProcessStatus.read(try ProcessHandle(processID: 2))
        #expect(status.isKernelThread)
        #expect(status.name == "kthreadd")
        #expect(status.parentID == 0)
        #expect(status.commandLine.value?.arguments == [])
        #expect(status.residentBytes.error?.code == .absent)
        #expect(status.peakResidentBytes.error?.code == .absent)
        #expect(status.startTime.value != nil)
        let codes = [status.proportionalBytes.error?.code, status.executable.error?.code]
        #expect(codes.allSatisfy { $0 == .absent || $0 == .denied })
        _ = try PerformanceReading.read(try ProcessHandle(processID: 2))
    }

    @Test("another user's process tells what it tells everyone, and denies the rest")
    func otherUser() throws {
        let child = try ChildProcess(["sleep", "100"])
        let result = try asNobody {
            let handle = try ProcessHandle(processID: geteuid() == 0 ? child.identifier : 1)
            return (try ProcessStatus.read(handle), try PerformanceReading.read(handle))
        }
        let (status, reading) = try result.get()
        #expect(status.userID == .success(0))
        #expect(status.startTime.value != nil)
        #expect(status.commandLine.value?.arguments.isEmpty == false)
        #expect(status.residentBytes.value != nil)
        #expect(status.executable.error?.code == .denied)
        #expect(status.workingDirectory.error?.code == .denied)
        #expect(status.environment.error?.code == .denied)
        #expect(status.storage.error?.code == .denied)
        #expect(status.proportionalBytes.error?.code == .denied)
        #expect(status.foreignNamespaces.error?.code == .denied)
        #expect(reading.memoryBytes == nil)
        #expect(reading.storage == nil)
        #expect(reading.memoryPeakBytes != nil)
    }

    private static var kernelThreadIsVisible: Bool {
        FileManager.default.contents(atPath: "/proc/2/stat").map { String(decoding: $0, as: UTF8.self) }?
            .hasPrefix("2 (kthreadd)") == true
    }

    /// Runs something on a thread of its own that has, where this process may do so, the rights of nobody.
    private func asNobody<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) throws -> Swift.Result<Result, any Error> {
        // setresuid(2) of the C library changes all threads; the system call changes the one that makes it.
        typealias Call = @convention(c) (Int, UInt, UInt, UInt) -> Int
        let call = unsafeBitCast(try #require(dlsym(nil, "syscall")), to: Call.self)
        let number = Int(SYS_setresuid)
        let results = Recorder<Swift.Result<Result, any Error>>()
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            if geteuid() == 0, call(number, 65534, 65534, 65534) != 0 {
                Issue.record("cannot become nobody")
            }
            results.append(Swift.Result { try body() })
            end.signal()
        }
        end.wait()
        return try #require(results.elements.first)
    }

    /// Waits until a child that runs sleep(1) does what it was started for.
    private func waitUntilAsleep(_ child: ChildProcess) async throws {
        try await waitUntil("the program runs") {
            let arguments = FileManager.default.contents(atPath: "/proc/\(child.identifier)/cmdline") ?? Data()
            let stat = FileManager.default.contents(atPath: "/proc/\(child.identifier)/stat") ?? Data()
            return arguments.suffix(5) == Data("\0100\0".utf8)
                && String(decoding: stat, as: UTF8.self).contains(") S \(getpid()) ")
        }
    }

    private func link(_ child: ChildProcess, _ name: String) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child.identifier)/\(name)")
    }

    private func numbers(_ child: ChildProcess, _ file: String, _ keys: [String]) throws -> [UInt64] {
        let lines = try String(contentsOfFile: "/proc/\(child.identifier)/\(file)", encoding: .utf8)
            .split(separator: "\n")
        return try keys.map { key in
            let line = try #require(lines.first { $0.hasPrefix("\(key):") })
            return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt64($0) })
        }
    }
}
