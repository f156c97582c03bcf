// SPDX-License-Identifier: MIT

import Foundation
import SentinelModels
import SystemFacts
import TestSupport

/// A directory that looks like proc(5), with this machine's facts and one process, 4242.
final class ProcTree {
    static let processID: Int32 = 4242

    let directory: TemporaryDirectory

    /// Makes the tree, with some files of another text and without some others.
    init(_ changes: [String: String] = [:], without missing: Set<String> = []) throws {
        directory = try TemporaryDirectory()
        for (name, target) in Self.links where !missing.contains(name) {
            let path = directory.path(of: name)
            try makeDirectory(of: path)
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: changes[name] ?? target)
        }
        let files = Self.files.merging(changes.filter { Self.links[$0.key] == nil }) { $1 }
        for (name, text) in files where !missing.contains(name) {
            try write(Data(text.utf8), to: name)
        }
    }

    /// The status of the process in a tree that is made for it.
    static func status(_ changes: [String: String] = [:], without missing: Set<String> = []) throws -> ProcessStatus {
        let tree = try ProcTree(changes, without: missing)
        return try withExtendedLifetime(tree) { try ProcessStatus.read(try tree.handle()) }
    }

    /// A reading of the process in a tree that is made for it.
    static func reading(
        _ changes: [String: String] = [:], without missing: Set<String> = [], clock: WallClock = .system
    ) throws -> PerformanceReading {
        let tree = try ProcTree(changes, without: missing)
        return try withExtendedLifetime(tree) { try PerformanceReading.read(try tree.handle(), clock: clock) }
    }

    /// The status of the machine in a tree that is made for it.
    static func machine(_ changes: [String: String] = [:], without missing: Set<String> = []) throws -> SystemStatus {
        let tree = try ProcTree(changes, without: missing)
        return withExtendedLifetime(tree) { SystemStatus.read(from: tree.proc) }
    }

    var proc: ProcFS { ProcFS(root: directory.path) }

    func handle() throws -> ProcessHandle {
        try ProcessHandle(processID: Self.processID, in: proc)
    }

    func write(_ data: Data, to name: String) throws {
        let path = directory.path(of: name)
        try makeDirectory(of: path)
        try data.write(to: URL(fileURLWithPath: path))
    }

    private func makeDirectory(of path: String) throws {
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    }

    static let links = [
        "4242/exe": "/usr/bin/example (deleted)", "4242/cwd": "/home/user",
        "4242/ns/mnt": "mnt:[1]", "4242/ns/pid": "pid:[2]", "4242/ns/net": "net:[7]",
        "self/ns/mnt": "mnt:[1]", "self/ns/pid": "pid:[3]", "self/ns/net": "net:[4]",
    ]

    static let files = [
        "stat": """
        cpu  100 20 30 800 50 1 2 3 40 5
        cpu0 50 10 15 400 25 1 1 2 20 3
        cpu1 50 10 15 400 25 0 1 1 20 2
        intr 12345 0 0
        ctxt 999
        btime 1700000000
        processes 77

        """,
        "meminfo": "MemTotal:        8000000 kB\nMemFree:          123456 kB\n",
        "uptime": "5000.25 9000.50\n",
        "pressure/cpu":
            "some avg10=12.34 avg60=1.00 avg300=0.50 total=1234\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
        "pressure/memory": "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
        "pressure/io": "some avg10=100.00 avg60=0.00 avg300=0.00 total=0\n",
        "4242/stat": stat(name: "example"),
        "4242/status": """
        Name:\texample
        Umask:\t0022
        State:\tS (sleeping)
        PPid:\t17
        Uid:\t1000\t1001\t1000\t1000
        VmPeak:\t   99999 kB
        VmHWM:\t    2048 kB
        VmRSS:\t    1024 kB
        Threads:\t1
        voluntary_ctxt_switches:\t30
        nonvoluntary_ctxt_switches:\t12

        """,
        "4242/smaps_rollup":
            "55a0-7fff ---p 00000000 00:00 0  [rollup]\nRss:  1024 kB\nPss:  512 kB\nPss_Dirty: 1 kB\n",
        "4242/io":
            "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 0\n",
        "4242/cmdline": "example\0--flag\0\0last\0",
        "4242/environ":
            "PATH=/bin\0LANG=de_DE.UTF-8\0LC_TIME=C\0LANGUAGE=de:en\0LANG=twice\0SECRET=1\0LANGX=no\0LC_ALL=\0",
        "4242/cgroup":
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.example.App\\x2dBeta-99.scope\n",
        "4242/attr/current": "snap.example.app (enforce)\n",
        "4242/fd/0": "", "4242/fd/1": "", "4242/fd/2": "",
    ]

    /// A file `stat` of process 4242: 250 ticks of processor time, started 2 000.50 s after the machine.
    static func stat(
        name: String, state: String = "S", user: String = "200", kernel: String = "50", threads: String = "1",
        start: String = "200050"
    ) -> String {
        "4242 (\(name)) \(state) 17 4242 4242 0 -1 4194304 115 0 0 0 \(user) \(kernel) 0 0 20 0 \(threads) 0 \(start) "
            + "3133440 418 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
    }
}
