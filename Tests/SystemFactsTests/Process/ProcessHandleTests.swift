// SPDX-License-Identifier: MIT

import Foundation
import SystemFacts
import TestSupport
import Testing

@Suite("Process handles", .timeLimit(.minutes(5)))
struct ProcessHandleTests {
    private func isGone(_ error: any Error) -> Bool {
        (error as? FactError)?.code == .processGone
    }

    @Test("a running process is alive, an ended one is not, and stays so")
    func ending() throws {
        let child = try ChildProcess(["sleep", "100"])
        let handle = try ProcessHandle(processID: child.identifier)
        #expect(handle.isAlive)
        _ = try ProcessStatus.read(handle)
        child.send(SIGKILL)
        try child.waitForEnd()
        #expect(!handle.isAlive)
        #expect { try handle.checkAlive() } throws: { isGone($0) }
        #expect { _ = try ProcessStatus.read(handle) } throws: { isGone($0) }
        #expect { _ = try PerformanceReading.read(handle) } throws: { isGone($0) }
        #expect { _ = try ProcessHandle(processID: child.identifier) } throws: { isGone($0) }
    }

    @Test("a process that has ended and waits for its parent is gone")
    func zombie() async throws {
        // The shell becomes the program, which never asks after the child that it inherits.
        let parent = try ChildProcess(["sh", "-c", "sleep 100 & echo $!; exec sleep 100"])
        let number = try #require(Int32(try parent.waitForFirstLine()))
        let handle = try ProcessHandle(processID: number)
        try await waitUntil("the shell has become the program") {
            try String(contentsOfFile: "/proc/\(parent.identifier)/comm", encoding: .utf8) == "sleep\n"
        }
        #expect(kill(number, SIGKILL) == 0)
        try await waitUntil("the child ends") {
            let stat = try String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            return stat.contains(") Z ")
        }
        #expect(!handle.isAlive)
        #expect { _ = try ProcessStatus.read(handle) } throws: { isGone($0) }
        #expect { _ = try PerformanceReading.read(handle) } throws: { isGone($0) }
        #expect { _ = try ProcessHandle(processID: number) } throws: { isGone($0) }
    }

    @Test("a number that is used again is not taken for the process that had it", .enabled(if: geteuid() == 0))
    func reuse() throws {
        // Whatever else is started on the machine may take the number first.
        for _ in 0..<50 {
            let first = try ChildProcess(["sleep", "100"])
            let number = first.identifier
            let handle = try ProcessHandle(processID: number)
            _ = try PerformanceReading.read(handle)
            first.send(SIGKILL)
            try first.waitForEnd()
            // proc(5): the next process gets the number after this one.
            let file = try #require(FileHandle(forWritingAtPath: "/proc/sys/kernel/ns_last_pid"))
            try file.write(contentsOf: Data("\(number - 1)".utf8))
            let second = try ChildProcess(["sleep", "100"])
            guard second.identifier == number else { continue }
            #expect(!handle.isAlive)
            #expect { _ = try ProcessStatus.read(handle) } throws: { isGone($0) }
            #expect { _ = try PerformanceReading.read(handle) } throws: { isGone($0) }
            let other = try ProcessHandle(processID: number)
            #expect(other.isAlive)
            #expect(try ProcessStatus.read(other).parentID == getpid())
            return
        }
        Issue.record("the number was not given again")
    }

    @Test("a process that ends while it is read gives a whole reading or is gone", arguments: 0..<10)
    func endMeanwhile(_ round: Int) throws {
        let child = try ChildProcess(["sleep", "100"])
        let handle = try ProcessHandle(processID: child.identifier)
        let whole = try PerformanceReading.read(handle)
        Thread.detachNewThread {
            usleep(UInt32(round) * 300)
            child.send(SIGKILL)
        }
        var last = whole
        #expect {
            while true {
                last = try PerformanceReading.read(handle)
                _ = try ProcessStatus.read(handle)
            }
        } throws: {
            isGone($0)
        }
        #expect(last.fileDescriptors != nil)
        #expect(last.storage != nil)
    }

    @Test("numbers that no process has are refused", arguments: [0, -1, Int32.min, Int32.max])
    func impossible(_ number: Int32) {
        #expect { _ = try ProcessHandle(processID: number) } throws: { isGone($0) }
    }

    @Test("a thread's number is no process's")
    func thread() throws {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { Int32($0) }
        let thread = try #require(tasks.first { $0 != getpid() })
        #expect { _ = try ProcessHandle(processID: thread) } throws: { isGone($0) }
    }

    @Test("handles give back their descriptors")
    func descriptors() throws {
        let before = try ProcessResources.descriptorCount
        for _ in 0..<500 {
            let handle = try ProcessHandle(processID: getpid())
            _ = try PerformanceReading.read(handle)
        }
        // Other tests open and close theirs meanwhile.
        #expect(try ProcessResources.descriptorCount < before + 250)
    }

    @Test("one handle serves many threads")
    func concurrency() throws {
        let child = try ChildProcess(["sleep", "100"])
        let handle = try ProcessHandle(processID: child.identifier)
        let readings = Recorder<PerformanceReading>()
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            do {
                readings.append(try PerformanceReading.read(handle))
            } catch {
                Issue.record(error)
            }
        }
        #expect(readings.count == 200)
        #expect(readings.elements.allSatisfy { $0.threads == 1 && $0.storage != nil && $0.memoryPeakBytes != nil })
    }
}
