// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// The screen Performance: the figures of one sample.
enum PerformanceScreen {
    static func sections(_ sample: PerformanceSample) -> [Section] {
        [
            Section(
                "process_performance", "Performance",
                [
                    item("cpu_percent", "Processor time, of one core", sample.cpuPercent, unit: "%"),
                    item("memory_bytes", "Memory (proportional set size)", sample.memoryBytes, unit: "bytes"),
                    item("memory_peak_bytes", "Largest resident memory", sample.memoryPeakBytes, unit: "bytes"),
                    item("threads", "Threads", sample.threads),
                    item("file_descriptors", "File descriptors", sample.fileDescriptors),
                    item("read_bytes", "Read from storage", sample.readBytes, unit: "bytes"),
                    item("written_bytes", "Written to storage", sample.writtenBytes, unit: "bytes"),
                    item("context_switches", "Context switches", sample.contextSwitches),
                    item("uptime_seconds", "Age", sample.uptimeSeconds, unit: "s"),
                ]),
            Section(
                "machine_performance", "Machine",
                [
                    item("cpu_percent_total", "Processor time, of all", sample.cpuPercentTotal, unit: "%"),
                    item("memory_total_bytes", "Memory", sample.memoryTotalBytes, unit: "bytes"),
                    item("processor_count", "Processors online", sample.processorCount),
                    item("pressure_cpu", "Processor pressure", sample.pressureCPU, unit: "%"),
                    item("pressure_memory", "Memory pressure", sample.pressureMemory, unit: "%"),
                    item("pressure_io", "Input and output pressure", sample.pressureIO, unit: "%"),
                    item("system_uptime_seconds", "Time since start", sample.systemUptimeSeconds, unit: "s"),
                ]),
        ]
    }

    /// The screen where there is nothing to measure.
    static func sections(because reason: String) -> [Section] {
        [Section("process_performance", "Performance", [.absent("process", "Process", because: reason, kind: kind)])]
    }

    private static let kind = "performance"

    private static func item<Figure: ScreenValue>(
        _ id: String, _ title: String, _ figure: Figure?, unit: String? = nil
    ) -> Item {
        .fact(id, title, figure, unit: unit, otherwise: "the kernel does not tell it for this process", kind: kind)
    }
}

extension PerformanceSample {
    /// The figures as `Performance1.Sample` gives them; what cannot be had is left out.
    var options: [Key: Value] {
        var options: [Key: Value] = ["time": .int64(time.microseconds)]
        options["cpu_percent"] = cpuPercent.map(Value.double)
        options["cpu_percent_total"] = cpuPercentTotal.map(Value.double)
        options["memory_bytes"] = memoryBytes.map(Value.uint64)
        options["memory_peak_bytes"] = memoryPeakBytes.map(Value.uint64)
        options["memory_total_bytes"] = memoryTotalBytes.map(Value.uint64)
        options["threads"] = threads.map(Value.uint32)
        options["file_descriptors"] = fileDescriptors.map(Value.uint32)
        options["read_bytes"] = readBytes.map(Value.uint64)
        options["written_bytes"] = writtenBytes.map(Value.uint64)
        options["context_switches"] = contextSwitches.map(Value.uint64)
        options["uptime_seconds"] = uptimeSeconds.map(Value.double)
        options["system_uptime_seconds"] = systemUptimeSeconds.map(Value.double)
        options["pressure_cpu"] = pressureCPU.map(Value.double)
        options["pressure_memory"] = pressureMemory.map(Value.double)
        options["pressure_io"] = pressureIO.map(Value.double)
        options["processor_count"] = processorCount.map(Value.uint32)
        return options
    }
}
