// SPDX-License-Identifier: MIT

import Foundation
import SystemFacts
import TestSupport
import Testing

@Suite("Process status, read from trees that look like /proc")
struct ProcessStatusFixtureTests {
    @Test("every fact of a whole tree is told")
    func whole() throws {
        let status = try ProcTree.status()
        #expect(status.processID == 4242)
        #expect(status.name == "example")
        #expect(status.state == .sleeping)
        #expect(status.parentID == 17)
        #expect(!status.isKernelThread)
        #expect(status.threads == 1)
        #expect(status.startTime == .success(1_700_002_000_500_000))
        #expect(status.userID == .success(1000))
        #expect(status.effectiveUserID == .success(1001))
        #expect(status.residentBytes == .success(1024 << 10))
        #expect(status.peakResidentBytes == .success(2048 << 10))
        #expect(status.proportionalBytes == .success(512 << 10))
        #expect(status.storage.value?.readBytes == 4096)
        #expect(status.storage.value?.writtenBytes == 8192)
        #expect(status.fileDescriptors == .success(3))
        #expect(status.contextSwitches == .success(42))
        #expect(status.commandLine.value?.arguments == ["example", "--flag", "", "last"])
        #expect(status.commandLine.value?.isComplete == true)
        #expect(status.executable.value?.path == "/usr/bin/example")
        #expect(status.executable.value?.isDeleted == true)
        #expect(status.workingDirectory == .success("/home/user"))
        #expect(
            status.environment.value
                == [
                    "PATH": "/bin", "LANG": "de_DE.UTF-8", "LC_TIME": "C", "LANGUAGE": "de:en", "SECRET": "1",
                    "LANGX": "no", "LC_ALL": "",
                ])
        #expect(status.controlGroup.value?.unit?.name == #"app-gnome-org.example.App\x2dBeta-99.scope"#)
        #expect(status.controlGroup.value?.unit?.applicationID == "org.example.App-Beta")
        #expect(status.foreignNamespaces == .success(["net", "pid"]))
        #expect(status.securityLabel == .success("snap.example.app (enforce)"))
    }

    @Test(
        "a name in `stat` may hold anything",
        arguments: ["a) R 1 (b", "a) R 1 2 3)", "(((", ")", "", "x\n1 (y) Z 2", " ", "é", "a b c"])
    func hostileName(_ name: String) throws {
        let status = try ProcTree.status(["4242/stat": ProcTree.stat(name: name)])
        #expect(status.name == name)
        #expect(status.state == .sleeping)
        #expect(status.parentID == 17)
        #expect(status.startTime == .success(1_700_002_000_500_000))
    }

    @Test("the processor's time of a hostile name is its own")
    func hostileTimes() throws {
        let reading = try ProcTree.reading([
            "4242/stat": ProcTree.stat(name: "a) R 1 1 1 1 1 1 1 1 1 1 1 99 99 (b")
        ])
        #expect(reading.processorTime == .milliseconds(2500))
    }

    @Test(
        "a file that is missing makes its own facts absent and no others",
        arguments: [
            "smaps_rollup", "io", "cmdline", "environ", "cgroup", "attr/current", "status", "exe", "cwd",
        ])
    func missing(_ name: String) throws {
        let status = try ProcTree.status(without: ["4242/\(name)"])
        let errors: [String: [FactError.Code?]] = [
            "smaps_rollup": [status.proportionalBytes.error?.code], "io": [status.storage.error?.code],
            "cmdline": [status.commandLine.error?.code], "environ": [status.environment.error?.code],
            "cgroup": [status.controlGroup.error?.code], "attr/current": [status.securityLabel.error?.code],
            "status": [
                status.userID.error?.code, status.effectiveUserID.error?.code, status.residentBytes.error?.code,
                status.peakResidentBytes.error?.code, status.contextSwitches.error?.code,
            ],
            "exe": [status.executable.error?.code], "cwd": [status.workingDirectory.error?.code],
        ]
        for (file, codes) in errors {
            #expect(codes.allSatisfy { $0 == (file == name ? .absent : nil) }, "\(file)")
        }
    }

    @Test("without `stat` there is no process")
    func noStat() throws {
        let tree = try ProcTree(without: ["4242/stat"])
        #expect { _ = try tree.handle() } throws: { ($0 as? FactError)?.code == .processGone }
    }

    @Test("a tree that goes while it is read is a process that has ended")
    func goneMeanwhile() throws {
        let tree = try ProcTree()
        let handle = try tree.handle()
        tree.directory.remove()
        #expect(!handle.isAlive)
        #expect { _ = try ProcessStatus.read(handle) } throws: { ($0 as? FactError)?.code == .processGone }
        #expect { _ = try PerformanceReading.read(handle) } throws: { ($0 as? FactError)?.code == .processGone }
    }

    @Test("an ended process that waits for its parent is gone", arguments: ["Z", "X"])
    func zombie(_ state: String) throws {
        let stat = ProcTree.stat(name: "example", state: state, threads: "0")
        #expect { _ = try ProcTree.status(["4242/stat": stat]) } throws: { ($0 as? FactError)?.code == .processGone }
    }

    @Test(
        "numbers that do not fit make `stat` malformed",
        arguments: [
            ProcTree.stat(name: "x", user: "99999999999999999999"),
            ProcTree.stat(name: "x", user: "18446744073709551615", kernel: "1"),
            ProcTree.stat(name: "x", threads: "4294967296"), ProcTree.stat(name: "x", threads: "-1"),
            "", "4242 (x)", "4242 (x) S", "garbage", "\0\0\0",
        ])
    func overflow(_ stat: String) throws {
        #expect { _ = try ProcTree.status(["4242/stat": stat]) } throws: { ($0 as? FactError)?.code == .malformed }
    }

    @Test("a start beyond all time is malformed, and the rest is told")
    func overflowingStart() throws {
        let changes = ["4242/stat": ProcTree.stat(name: "x", start: "18446744073709551615")]
        let status = try ProcTree.status(changes)
        #expect(status.startTime.error?.code == .malformed)
        #expect(status.threads == 1)
        #expect(try ProcTree.reading(changes).uptime == nil)
    }

    @Test("without `btime` the start is absent")
    func noBootTime() throws {
        let status = try ProcTree.status(["stat": "cpu  1 2 3 4\ncpu0 1 2 3 4\n"])
        #expect(status.startTime.error?.code == .absent)
    }

    @Test(
        "memory that does not fit or has another unit is malformed",
        arguments: [
            "Pss: 99999999999999999999 kB\n", "Pss: 18446744073709551615 kB\n", "Pss: 5 MB\n", "Rss: 1 kB\n", "",
        ])
    func malformedMemory(_ text: String) throws {
        let status = try ProcTree.status(["4242/smaps_rollup": text])
        #expect(status.proportionalBytes.error?.code == .malformed)
    }

    @Test("a long command line is cut after a whole argument, and says so")
    func longCommandLine() throws {
        let argument = String(repeating: "x", count: 1000)
        let text = String(repeating: argument + "\0", count: 200)
        let line = try #require(try ProcTree.status(["4242/cmdline": text]).commandLine.value)
        #expect(line.arguments == Array(repeating: argument, count: (128 << 10) / 1001))
        #expect(!line.isComplete)
        let whole = try #require(
            try ProcTree.status(["4242/cmdline": String(text.prefix(1001 * 100))]).commandLine.value)
        #expect(whole.arguments.count == 100)
        #expect(whole.isComplete)
    }

    @Test("a command line that the process has overwritten is one argument")
    func overwrittenCommandLine() throws {
        #expect(try ProcTree.status(["4242/cmdline": "server: idle"]).commandLine.value?.arguments == ["server: idle"])
        #expect(try ProcTree.status(["4242/cmdline": ""]).commandLine.value?.arguments == [])
    }

    @Test("a program that was not deleted keeps its path", arguments: ["/usr/bin/a b", "/deleted", " (deleted)"])
    func executable(_ link: String) throws {
        let path = try #require(try ProcTree.status(["4242/exe": link]).executable.value)
        #expect(path.path == link)
        #expect(!path.isDeleted)
    }

    @Test(
        "the kernel's mark of a deleted program is known by its bytes, whatever is before it",
        arguments: ["/opt/app\u{600}", "/opt/app\u{200D}", "/opt/e\u{301}"])
    func deletedExecutable(_ path: String) throws {
        let program = try #require(try ProcTree.status(["4242/exe": "\(path) (deleted)"]).executable.value)
        #expect(Array(program.path.utf8) == Array(path.utf8))
        #expect(program.isDeleted)
    }

    @Test("of a variable that is there twice the first counts, and what has no value is left out")
    func environment() throws {
        let texts: [(String, [String: String])] = [
            ("A=1\0A=2\0", ["A": "1"]), ("A\0B=\0", ["B": ""]), ("A=b=c", ["A": "b=c"]), ("", [:]), ("\0\0", [:]),
        ]
        for (text, variables) in texts {
            #expect(try ProcTree.status(["4242/environ": text]).environment.value == variables)
        }
    }

    @Test("switches of all threads are added up")
    func threads() throws {
        let thread = "Name:\tx\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t6\n"
        let status = try ProcTree.status([
            "4242/stat": ProcTree.stat(name: "x", threads: "3"), "4242/task/4242/status": thread,
            "4242/task/4243/status": thread, "4242/task/4244/status": thread, "4242/task/4245/other": "",
        ])
        #expect(status.contextSwitches == .success(33))
        let cheaper = try ProcTree.status([
            "4242/stat": ProcTree.stat(name: "x", threads: "3"), "4242/task/4242/status": thread,
            "4242/task/4243/status": thread, "4242/task/4243/schedstat": "5000 6000 70\n",
            "4242/task/4244/status": thread, "4242/task/4244/schedstat": "0 0 0\n",
        ])
        #expect(cheaper.contextSwitches == .success(92))
        let many = try ProcTree.status(["4242/stat": ProcTree.stat(name: "x", threads: "257")])
        #expect(many.contextSwitches.error?.code == .absent)
    }
}
