// SPDX-License-Identifier: MIT

import Foundation

/// What this process holds of the system's resources, as proc(5) tells.
public enum ProcessResources {
    /// The number of open file descriptors.
    public static var descriptorCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1 }
    }

    /// The number of threads.
    public static var threadCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
    }

    /// The memory that is in use and in RAM, in bytes.
    public static var residentBytes: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                throw TestSupportError("cannot read /proc/self/statm")
            }
            return pages * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}
