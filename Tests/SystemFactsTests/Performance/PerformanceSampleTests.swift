// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import SystemFacts
import Testing

@Suite("Performance samples, made of trees that look like /proc")
struct PerformanceSampleTests {
    private static let now = Timestamp(clamping: 1_700_003_000_000_000)

    private func reading(
        _ changes: [String: String] = [:], without missing: Set<String> = []
    ) throws -> PerformanceReading {
        try ProcTree.reading(changes, without: missing, clock: WallClock { Self.now })
    }

    @Test("every figure of a whole tree is there")
    func whole() throws {
        let previous = try reading(["stat": "cpu  50 20 30 400 50 1 2 3\n"])
        usleep(20_000)
        let sample = PerformanceSample(previous: previous, current: try reading())
        #expect(sample.time == Self.now)
        #expect(sample.cpuPercent == 0)
        // 450 of 1 006 - 556 ticks, of which 400 were idle.
        #expect(sample.cpuPercentTotal == 50.0 / 450 * 100)
        #expect(sample.memoryBytes == 524_288)
        #expect(sample.memoryPeakBytes == 2_097_152)
        #expect(sample.memoryTotalBytes == 8_192_000_000)
        #expect(sample.threads == 1)
        #expect(sample.fileDescriptors == 3)
        #expect(sample.readBytes == 4096)
        #expect(sample.writtenBytes == 8192)
        #expect(sample.contextSwitches == 42)
        #expect(sample.uptimeSeconds == 2999.75)
        #expect(sample.systemUptimeSeconds == 5000.25)
        #expect(sample.pressureCPU == 12.34)
        #expect(sample.pressureMemory == 0)
        #expect(sample.pressureIO == 100)
        #expect(sample.processorCount == 2)
    }

    @Test("the processor's use is that of one core, and never more than there is")
    func processorUse() throws {
        let previous = try reading()
        usleep(100_000)
        let tenTicks = try reading(["4242/stat": ProcTree.stat(name: "x", user: "210")])
        let sample = PerformanceSample(previous: previous, current: tenTicks)
        let interval = (tenTicks.monotonicTime - previous.monotonicTime) / .seconds(1)
        #expect(abs(try #require(sample.cpuPercent) - 10 / interval) < 0.001)
        let many = try reading(["4242/stat": ProcTree.stat(name: "x", user: "99999999")])
        #expect(PerformanceSample(previous: previous, current: many).cpuPercent == 200)
    }

    @Test("without a time between there is no use of the processor")
    func noInterval() throws {
        let reading = try reading()
        for previous in [nil, reading] {
            let sample = PerformanceSample(previous: previous, current: reading)
            #expect(sample.cpuPercent == nil)
            #expect(sample.cpuPercentTotal == nil)
            #expect(sample.memoryBytes == 524_288)
        }
    }

    @Test("a counter that went back gives no figure")
    func reset() throws {
        let previous = try reading()
        usleep(2_000)
        let current = try reading([
            "4242/stat": ProcTree.stat(name: "x", user: "1"), "stat": "cpu  1 1 1 1\ncpu0 1 1 1 1\n",
        ])
        let sample = PerformanceSample(previous: previous, current: current)
        #expect(sample.cpuPercent == nil)
        #expect(sample.cpuPercentTotal == nil)
    }

    @Test("time of waiting that went back counts as none")
    func idleReset() throws {
        let previous = try reading()
        let current = try reading(["stat": "cpu  1100 20 30 700 50 1 2 3\n"])
        #expect(PerformanceSample(previous: previous, current: current).cpuPercentTotal == 100)
    }

    @Test("another process of the same number is not compared")
    func otherProcess() throws {
        let previous = try reading()
        usleep(2_000)
        let current = try reading(["4242/stat": ProcTree.stat(name: "x", user: "300", start: "200051")])
        #expect(PerformanceSample(previous: previous, current: current).cpuPercent == nil)
    }

    @Test("what cannot be had is left out, and the rest is there")
    func missing() throws {
        let missing: Set = [
            "pressure/cpu", "pressure/io", "4242/smaps_rollup", "4242/io", "4242/status", "meminfo", "stat",
        ]
        let sample = PerformanceSample(
            previous: nil, current: try reading(without: missing))
        #expect(sample.pressureCPU == nil && sample.pressureIO == nil && sample.pressureMemory == 0)
        #expect(sample.memoryBytes == nil && sample.memoryPeakBytes == nil && sample.memoryTotalBytes == nil)
        #expect(sample.readBytes == nil && sample.writtenBytes == nil && sample.contextSwitches == nil)
        #expect(sample.processorCount == nil)
        #expect(sample.threads == 1)
        #expect(sample.uptimeSeconds == 2999.75)
    }

    @Test("a machine without single processors in /proc/stat has no count of them")
    func noProcessors() throws {
        #expect(try reading(["stat": "cpu  1 2 3 4\n"]).processorCount == nil)
    }

    @Test("a machine of many processors and groups is read whole")
    func large() throws {
        let lines = (0..<4096).map { "cpu\($0) 1000000 1000000 1000000 1000000 1000000 1000000 1000000 1000000 0 0\n" }
        let stat = "cpu  1 2 3 4 5 6 7 8 0 0\n" + lines.joined() + "btime 1\n"
        let groups = "Groups:\t" + (0..<60_000).map(String.init).joined(separator: " ") + "\n"
        let status = "Name:\tx\n\(groups)VmHWM:\t 4 kB\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t2\n"
        let reading = try reading(["stat": stat, "4242/status": status])
        #expect(reading.processorCount == 4096)
        #expect(reading.memoryPeakBytes == 4096)
        #expect(reading.contextSwitches == 3)
    }
}
