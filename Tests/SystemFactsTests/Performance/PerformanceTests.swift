// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import SystemFacts
import TestSupport
import Testing

@Suite("Performance of real processes", .timeLimit(.minutes(5)))
struct PerformanceTests {
    @Test("a process that burns one core reads as 100 percent")
    func burning() throws {
        // Whatever else the machine does, root's child gets its core.
        let first = geteuid() == 0 ? ["chrt", "--fifo", "1"] : []
        let child = try ChildProcess(first + ["sh", "-c", "while :; do :; done"])
        let handle = try ProcessHandle(processID: child.identifier)
        var percentages: [Double] = []
        for _ in 0..<10 {
            let previous = try PerformanceReading.read(handle)
            usleep(200_000)
            let sample = PerformanceSample(previous: previous, current: try PerformanceReading.read(handle))
            let percent = try #require(sample.cpuPercent)
            #expect(percent >= 0 && percent <= 120)
            let total = try #require(sample.cpuPercentTotal)
            #expect(total > 0 && total <= 100)
            percentages.append(percent)
            if (80...120).contains(percent) { return }
        }
        Issue.record("a core of its own was never used: \(percentages)")
    }

    @Test("processor time agrees with ticks of /proc")
    func ticks() throws {
        let child = try ChildProcess(["sh", "-c", "while :; do :; done"])
        let handle = try ProcessHandle(processID: child.identifier)
        usleep(300_000)
        let before = try ticks(of: child)
        let reading = try PerformanceReading.read(handle)
        let after = try ticks(of: child)
        let used = reading.processorTime / .seconds(1)
        #expect(used >= before - 0.03 && used <= after + 0.03)
    }

    @Test("a sleeping process uses nothing, and its figures are those of /proc")
    func sleeping() async throws {
        let child = try ChildProcess(["sh", "-c", "exec 5</dev/null 6</dev/null sleep 100"])
        try await waitUntil("the program sleeps") {
            try String(contentsOfFile: "/proc/\(child.identifier)/stat", encoding: .utf8).contains("(sleep) S ")
        }
        let handle = try ProcessHandle(processID: child.identifier)
        let previous = try PerformanceReading.read(handle)
        usleep(100_000)
        let current = try PerformanceReading.read(handle)
        let sample = PerformanceSample(previous: previous, current: current)
        #expect(try #require(sample.cpuPercent) < 5)
        #expect(sample.threads == 1)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.identifier)/fd").count
        #expect(sample.fileDescriptors == UInt32(descriptors))
        #expect(sample.processorCount == SystemStatus.read().processorCount.value)
        #expect(sample.memoryTotalBytes == SystemStatus.read().memoryTotalBytes.value)
        #expect(sample.readBytes != nil && sample.writtenBytes != nil)
        #expect(try #require(sample.memoryPeakBytes) >= (try #require(sample.memoryBytes)))
        let uptime = try #require(sample.uptimeSeconds)
        #expect(uptime > 0.1 && uptime < 60)
        #expect(try #require(sample.systemUptimeSeconds) > uptime)
        #expect(abs(Double(sample.time.microseconds) / 1e6 - Date().timeIntervalSince1970) < 5)
        if FileManager.default.fileExists(atPath: "/proc/pressure/cpu") {
            #expect(try #require(sample.pressureCPU) >= 0)
            #expect(sample.pressureMemory != nil && sample.pressureIO != nil)
        }
    }

    @Test("the proportional set size is that of /proc")
    func proportionalSetSize() throws {
        // What only this process has stays its own, whoever else shares the libraries.
        let child = try ChildProcess(["sh", "-c", "a=$(head -c 8000000 /dev/zero | tr '\\0' x); echo; sleep 100"])
        _ = try child.waitForFirstLine()
        let handle = try ProcessHandle(processID: child.identifier)
        let memory = try #require(try PerformanceReading.read(handle).memoryBytes)
        let text = try String(contentsOfFile: "/proc/\(child.identifier)/smaps_rollup", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Pss:") })
        let told = try #require(line.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }) << 10
        #expect(memory > 8_000_000)
        #expect(abs(Double(memory) - Double(told)) < 1e6)
    }

    @Test("a process that runs another program goes on being measured")
    func exec() async throws {
        let directory = try TemporaryDirectory()
        let mark = directory.path(of: "go")
        let child = try ChildProcess(["sh", "-c", "while [ ! -e \(mark) ]; do sleep 0.02; done; exec sleep 100"])
        let handle = try ProcessHandle(processID: child.identifier)
        #expect(try PerformanceReading.read(handle).memoryBytes != nil)
        try Data().write(to: URL(fileURLWithPath: mark))
        try await waitUntil("the other program runs") { try ProcessStatus.read(handle).name == "sleep" }
        let reading = try PerformanceReading.read(handle)
        #expect(reading.memoryBytes != nil)
        #expect(reading.memoryPeakBytes != nil)
        #expect(reading.storage != nil)
    }

    @Test("context switches are those of all threads")
    func contextSwitches() throws {
        let handle = try ProcessHandle(processID: getpid())
        let before = try contextSwitchesOfAllThreads()
        let reading = try PerformanceReading.read(handle)
        let after = try contextSwitchesOfAllThreads()
        #expect(reading.threads > 1)
        // Other tests start and end threads meanwhile.
        let told = try #require(reading.contextSwitches)
        #expect(Double(told) >= Double(before) * 0.8 && Double(told) <= Double(after) * 1.2)
    }

    private func contextSwitchesOfAllThreads() throws -> UInt64 {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").reduce(0) { sum, thread in
            let data = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/status") ?? Data()
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
            return try lines.filter { $0.contains("voluntary_ctxt_switches:") }.reduce(sum) { sum, line in
                sum + (try #require(line.split(separator: "\t").last.flatMap { UInt64($0) }))
            }
        }
    }

    private func ticks(of child: ChildProcess) throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(child.identifier)/stat", encoding: .utf8)
        let fields = stat.split(separator: " ")
        let user = try #require(Double(fields[13]))
        let kernel = try #require(Double(fields[14]))
        return (user + kernel) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
