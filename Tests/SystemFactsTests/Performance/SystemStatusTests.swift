// SPDX-License-Identifier: MIT

import Foundation
import SystemFacts
import Testing

@Suite("System status")
struct SystemStatusTests {
    @Test("every fact of a whole tree is told")
    func whole() throws {
        let status = try ProcTree.machine()
        #expect(status.processorTime.value?.totalTicks == 1006)
        #expect(status.processorTime.value?.idleTicks == 850)
        #expect(status.processorCount == .success(2))
        #expect(status.bootTime == .success(1_700_000_000_000_000))
        #expect(status.uptime == .success(.milliseconds(5_000_250)))
        #expect(status.memoryTotalBytes == .success(8_000_000 << 10))
        #expect(status.processorPressure == .success(12.34))
        #expect(status.memoryPressure == .success(0))
        #expect(status.storagePressure == .success(100))
    }

    @Test("a kernel without pressure stall information has none")
    func noPressure() throws {
        let status = try ProcTree.machine(without: ["pressure/cpu", "pressure/memory", "pressure/io"])
        #expect(status.processorPressure.error?.code == .absent)
        #expect(status.memoryPressure.error?.code == .absent)
        #expect(status.storagePressure.error?.code == .absent)
        #expect(status.memoryTotalBytes.value != nil)
    }

    @Test("a tree that is not there has no facts, and no process")
    func nothing() {
        let proc = ProcFS(root: "/nonexistent/proc")
        let status = SystemStatus.read(from: proc)
        #expect(status.processorTime.error?.code == .absent)
        #expect(status.uptime.error?.code == .absent)
        #expect(status.bootTime.error?.code == .absent)
        #expect { _ = try ProcessHandle(processID: 1, in: proc) } throws: { ($0 as? FactError)?.code == .processGone }
    }

    @Test(
        "what is not a number is malformed",
        arguments: [
            ("stat", "cpu  1 2 x 4\n"), ("stat", "cpu  18446744073709551615 1 1 1\n"), ("stat", "cpu 1 2\n"),
            ("stat", "intr 1\n"), ("stat", ""), ("meminfo", "MemTotal: 99999999999999999 TB\n"), ("meminfo", "\n"),
            ("uptime", "soon"), ("uptime", "99999999999.0 1"), ("uptime", ""), ("pressure/cpu", "some avg10=nan\n"),
            ("pressure/cpu", "some avg10=101.00 avg60=0\n"), ("pressure/cpu", "full avg10=1.00\n"),
            ("pressure/cpu", "some avg10=1.\n"),
        ])
    func malformed(_ file: String, _ text: String) throws {
        let status = try ProcTree.machine([file: text])
        let code =
            switch file {
            case "stat": status.processorTime.error?.code
            case "meminfo": status.memoryTotalBytes.error?.code
            case "uptime": status.uptime.error?.code
            default: status.processorPressure.error?.code
            }
        #expect(code == .malformed)
    }

    @Test("this machine's facts are those of its files")
    func live() throws {
        let before = try uptimeOfFile()
        let status = SystemStatus.read()
        let after = try uptimeOfFile()
        let uptime = try #require(status.uptime.value) / .seconds(1)
        #expect(uptime >= before - 0.02 && uptime <= after + 0.02)
        let stat = try String(contentsOfFile: "/proc/stat", encoding: .utf8).split(separator: "\n")
        #expect(status.processorCount == .success(UInt32(stat.count { $0.hasPrefix("cpu") } - 1)))
        let bootSeconds = try #require(stat.first { $0.hasPrefix("btime ") }.flatMap { Int64($0.dropFirst(6)) })
        #expect(abs(try #require(status.bootTime.value) - bootSeconds * 1_000_000) < 2_000_000)
        #expect(SystemStatus.read().bootTime == status.bootTime)
        let memory = try String(contentsOfFile: "/proc/meminfo", encoding: .utf8).split(separator: " ").dropFirst()
        #expect(status.memoryTotalBytes == .success(try #require(memory.first.flatMap { UInt64($0) }) << 10))
        #expect(try #require(status.processorTime.value).totalTicks > 0)
    }

    private func uptimeOfFile() throws -> Double {
        let text = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
        return try #require(text.split(separator: " ").first.flatMap { Double($0) })
    }
}
