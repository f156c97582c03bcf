// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// Any process of the user, registered or not.
    @Suite("Inspect", .serialized, .timeLimit(.minutes(5)))
    struct InspectTests {
        @Test("a process that has not registered is told as it is, with its figures")
        func any() async throws {
            let fixture = try await FactsFixture()
            let child = try ChildProcess(["sleep", "100"], directory: "/usr/bin")
            let name = URL(fileURLWithPath: "/proc/\(child.identifier)/comm")
            try await waitUntil("sleep runs") { try String(contentsOf: name, encoding: .utf8) == "sleep\n" }
            let screen = try await fixture.client.sentinel.inspect(processID: UInt32(child.identifier))
            expectSound(screen)
            #expect(screen.map(\.id) == ["process", "process_performance", "machine_performance"])
            #expect(screen.value("process_id") == .int64(Int64(child.identifier)))
            #expect(screen.value("process_name") == .string("sleep"))
            #expect(screen.value("parent_process_id") == .int64(Int64(getpid())))
            #expect(screen.value("user_id") == .int64(Int64(getuid())))
            #expect(screen.value("command_line") == .string("sleep 100"))
            #expect(screen.value("working_directory") == .string("/usr/bin"))
            #expect(screen.value("executable_deleted") == .boolean(false))
            let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child.identifier)/exe")
            #expect(screen.value("executable") == .string(executable))
            guard case .string(let started)? = screen.value("start_time") else {
                Issue.record("no start")
                return
            }
            #expect(started.hasPrefix("20"))
            #expect(screen.value("threads") == .int64(1))
            let facts = ProcessFacts(identifier: child.identifier)
            #expect(screen.value("file_descriptors") == .int64(Int64(try facts.descriptorCount)))
            guard case .int64(let memory)? = screen.value("memory_bytes"),
                case .double(let percent)? = screen.value("cpu_percent"),
                case .double(let age)? = screen.value("uptime_seconds"),
                case .double(let uptime)? = screen.value("system_uptime_seconds")
            else {
                Issue.record("no figures")
                return
            }
            #expect(abs(memory - Int64(try facts.proportionalSetSize)) < 1 << 20)
            #expect((0...20).contains(percent))
            #expect(age < 60 && uptime > age)
            try fixture.stop()
        }

        @Test(
            "the caller itself, the service and an instance can be looked into; of an instance the application is told")
        func registered() async throws {
            let fixture = try await FactsFixture { tree, _ in
                try tree.write(
                    "home/applications/com.example.App.desktop",
                    "[Desktop Entry]\nType=Application\nName=The App\nExec=x\n")
            }
            let own = try await fixture.client.sentinel.inspect(processID: UInt32(getpid()))
            expectSound(own)
            #expect(own.map(\.id).first == "process")
            try await fixture.client.register("com.example.App", ["version": .string("1.2")])
            let screen = try await fixture.client.sentinel.inspect(processID: UInt32(getpid()))
            expectSound(screen)
            #expect(
                screen.map(\.id) == ["application", "process", "found", "process_performance", "machine_performance"])
            #expect(screen.value("id") == .string("com.example.App"))
            #expect(screen.value("version") == .string("1.2"))
            #expect(screen.value("desktop_entry.name") == .string("The App"))
            let service = UInt32(fixture.service.process.identifier)
            let itself = try await fixture.client.sentinel.inspect(processID: service)
            expectSound(itself)
            #expect(itself.value("id") == .string("org.sentinel"))
            #expect(itself.value("process_id") == .int64(Int64(service)))
            try fixture.stop()
        }

        @Test("numbers of no process are unknown, and one that has ended is as well")
        func unknown() async throws {
            let fixture = try await FactsFixture()
            let child = try ChildProcess(["true"])
            try child.waitForEnd()
            // A thread is no process.
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            let thread = try #require(threads.compactMap { UInt32($0) }.first { $0 != UInt32(getpid()) })
            for number in [0, UInt32(child.identifier), thread, UInt32(Int32.max), UInt32(Int32.max) + 1, .max] {
                await expectError(.unixProcessIdUnknown, mentioning: "\(number)") {
                    _ = try await fixture.client.sentinel.inspect(processID: number)
                }
            }
            try fixture.stop()
        }

        @Test("one that has ended and that nobody has asked about is unknown")
        func zombie() async throws {
            let fixture = try await FactsFixture()
            let parent = try ChildProcess(["sh", "-c", "sleep 0 & echo $!; exec sleep 100"])
            let number = try #require(UInt32(try parent.waitForFirstLine()))
            try await waitUntil("it has ended") { !ProcessFacts(identifier: Int32(number)).isRunning }
            await expectError(.unixProcessIdUnknown, mentioning: "\(number)") {
                _ = try await fixture.client.sentinel.inspect(processID: number)
            }
            try fixture.stop()
        }

        @Test("a process of another user is not told of, and an instance of nobody's process neither")
        func otherUser() async throws {
            let fixture = try await FactsFixture()
            let stranger: UInt32
            var child: ChildProcess?
            if getuid() == 0 {
                let process = try ChildProcess(
                    ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sleep", "100"])
                let status = URL(fileURLWithPath: "/proc/\(process.identifier)/comm")
                try await waitUntil("sleep runs") { try String(contentsOf: status, encoding: .utf8) == "sleep\n" }
                stranger = UInt32(process.identifier)
                child = process
            } else {
                stranger = 1
            }
            await expectError(.accessDenied, mentioning: "\(stranger)") {
                _ = try await fixture.client.sentinel.inspect(processID: stranger)
            }
            withExtendedLifetime(child) {}
            try fixture.stop()
        }

        @Test("a thread of the kernel, where one is in sight, has no program, and says why")
        func kernelThread() async throws {
            let fixture = try await FactsFixture()
            // kthreadd is 2 outside of containers; else there is none in sight.
            guard let name = try? String(contentsOfFile: "/proc/2/comm", encoding: .utf8), name == "kthreadd\n" else {
                return try fixture.stop()
            }
            if getuid() == 0 {
                let screen = try await fixture.client.sentinel.inspect(processID: 2)
                expectSound(screen)
                #expect(screen.value("executable") == nil && screen.error("executable")?.isEmpty == false)
                #expect(screen.value("memory_bytes") == nil)
            } else {
                await expectError(.accessDenied) { _ = try await fixture.client.sentinel.inspect(processID: 2) }
            }
            try fixture.stop()
        }
    }
}
