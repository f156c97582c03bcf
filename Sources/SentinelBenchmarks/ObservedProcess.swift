// SPDX-License-Identifier: MIT

import BenchmarkClient
import Foundation
import Glibc

/// What the kernel tells about another process.
struct ObservedProcess {
    /// The context switches of each thread so far, voluntary and involuntary.
    typealias ContextSwitches = [String: Int]

    /// The process identifier.
    let identifier: Int32

    /// Returns the processor time of all threads so far, those that have ended included, in microseconds.
    ///
    /// Read from the process's clock (`clock_getcpuclockid(3)`), which counts nanoseconds where `/proc/PID/stat`
    /// counts ticks of ten milliseconds.
    ///
    /// - Throws: ``BenchmarkError`` with code `system`.
    func processorMicroseconds() throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchmarkError(code: .system, message: "cannot read the processor time of process \(identifier)")
        }
        return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
    }

    /// Returns the memory of the process in KiB, shared pages counted in proportion (PSS) and whole (RSS):
    /// `smaps_rollup` in `proc(5)`, whose "kB" are KiB.
    ///
    /// - Throws: ``BenchmarkError`` with code `system`.
    func memoryKibibytes() throws -> (proportional: Int, resident: Int) {
        let text = try contents("smaps_rollup")
        return (try field("Pss", of: text), try field("Rss", of: text))
    }

    /// Returns the context switches of every thread: `task/TID/status` in `proc(5)`.
    ///
    /// - Throws: ``BenchmarkError`` with code `system`.
    func contextSwitches() throws -> ContextSwitches {
        var switches: ContextSwitches = [:]
        for thread in try threads() {
            let status = try contents("task/\(thread)/status")
            switches[thread] =
                try field("voluntary_ctxt_switches", of: status) + field("nonvoluntary_ctxt_switches", of: status)
        }
        return switches
    }

    /// Returns how many switches lie between two readings. A thread that began meanwhile counts with all its
    /// switches; one that has ended counts as one, since it must have run to end.
    static func switches(from earlier: ContextSwitches, to later: ContextSwitches) -> Int {
        let ended = earlier.keys.count { later[$0] == nil }
        return later.reduce(ended) { $0 + $1.value - (earlier[$1.key] ?? 0) }
    }

    /// Returns whether the process has loaded a library whose file name begins with `prefix`: `maps` in `proc(5)`.
    ///
    /// - Throws: ``BenchmarkError`` with code `system`.
    func hasLoaded(libraryPrefix prefix: String) throws -> Bool {
        try contents("maps").contains("/" + prefix)
    }

    /// Returns how often the process has read so far, files and the descriptors that wake it alike, and how many bytes
    /// those were: `syscr` and `rchar` of `io` in `proc(5)`. What comes over a socket is not in it.
    ///
    /// - Throws: ``BenchmarkError`` with code `system`.
    func reads() throws -> (calls: Int, bytes: Int) {
        let text = try contents("io")
        return (try field("syscr", of: text), try field("rchar", of: text))
    }

    /// Returns what it costs in C to read the facts of the process that `Performance1.Sample` tells, each of `count`
    /// times in microseconds.
    ///
    /// - Throws: ``BenchmarkError`` with code `system`.
    func timeReads(count: Int) throws -> [Double] {
        let nanoseconds = try [Int64](unsafeUninitializedCapacity: count) { durations, initializedCount in
            durations.initialize(repeating: 0)
            initializedCount = count
            guard benchmark_time_reads(identifier, Int64(count), durations.baseAddress) else {
                throw BenchmarkError(
                    code: .system,
                    message: "cannot read the facts of process \(identifier): \(String(cString: strerror(errno)))")
            }
        }
        return nanoseconds.map { Double($0) / 1_000 }
    }

    private func threads() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task")
        } catch {
            throw BenchmarkError(code: .system, message: "cannot list the threads of process \(identifier): \(error)")
        }
    }

    private func contents(_ name: String) throws -> String {
        let path = "/proc/\(identifier)/\(name)"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw BenchmarkError(code: .system, message: "cannot read \(path)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private func field(_ name: String, of text: String) throws -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            let words = line.dropFirst(name.count + 1).split(whereSeparator: \.isWhitespace)
            if let word = words.first, let value = Int(word) {
                return value
            }
        }
        throw BenchmarkError(code: .system, message: "the kernel tells no \(name) of process \(identifier)")
    }
}
