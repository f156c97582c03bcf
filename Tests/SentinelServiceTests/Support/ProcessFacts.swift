// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// What a process holds, as proc(5) tells.
struct ProcessFacts {
    let identifier: Int32

    /// The proportional set size in bytes.
    var proportionalSetSize: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(identifier)/smaps_rollup", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
            guard let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                throw TestSupportError("no Pss in smaps_rollup")
            }
            return kibibytes << 10
        }
    }

    /// The number of open file descriptors.
    var descriptorCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count }
    }

    /// The number of open descriptors of pipes.
    var pipeCount: Int {
        get throws { try descriptorCount(of: "pipe:") }
    }

    /// The number of open descriptors of files whose paths begin so.
    func descriptorCount(of prefix: String) throws -> Int {
        let directory = "/proc/\(identifier)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: directory).count { name in
            // One that was closed meanwhile is none any more.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(name)")
            return target?.hasPrefix(prefix) == true
        }
    }

    /// The number of descriptors of timers (`timerfd_create(2)`) that will go off.
    var runningTimerCount: Int {
        get throws {
            let directory = "/proc/\(identifier)/fdinfo"
            return try FileManager.default.contentsOfDirectory(atPath: directory).count { name in
                // A descriptor may be closed in between.
                let text = try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
                return text?.split(separator: "\n").contains { $0.hasPrefix("it_value:") && $0 != "it_value: (0, 0)" }
                    ?? false
            }
        }
    }

    /// Whether the process runs; one that has ended and that nobody has asked about does not.
    var isRunning: Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
            let state = status.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        return state != "Z" && state != "X"
    }

    /// Whether memory means what it does for users: the sanitizers need several times as much.
    static let isMemoryMeaningful = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil
}
