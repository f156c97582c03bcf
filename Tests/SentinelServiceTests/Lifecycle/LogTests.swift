// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Log", .serialized, .timeLimit(.minutes(5)))
    struct LogTests {
        @Test("lines begin with their level and hold nothing of what applications say")
        func lines() async throws {
            let fixture = try await ServiceFixture(arguments: ["--log-level=debug"])
            let secret = "hunter2-\u{1F511}"
            let options: [Key: Value] = [
                "name": .string(secret), "launch": .variant(.options(["token": .string(secret)])),
            ]
            try await fixture.client.register("com.example.App", options)
            await expectError(.invalidArgs) {
                try await fixture.client.register("com.example.App", ["version": .objectPath("/hunter2")])
            }
            await expectError(.invalidArgs) { try await fixture.client.register("hunter2 \n<0>forged") }
            try await fixture.client.log.setLogLevel("info")
            try fixture.stop()
            let log = fixture.service.process.errors
            for line in log.split(separator: "\n") {
                #expect(line.wholeMatch(of: /<[0-7]>.+/) != nil, "\(line)")
            }
            #expect(!log.contains("hunter2"))
            #expect(log.contains("answering as org.sentinel"))
        }

        @Test("the option decides what is written", arguments: ["emerg", "err", "warning", "notice", "info", "debug"])
        func option(level: String) async throws {
            let bus = try PrivateBus()
            let service = try SentinelProcess(on: bus, arguments: ["--log-level", level])
            let client = try TestClient(on: bus)
            try await waitUntil("the service answers") { (try? await client.log.logLevel()) == level }
            #expect(try service.stop() == .exited(0))
            #expect(service.process.errors.isEmpty == !["info", "debug"].contains(level))
        }

        @Test("the level changes at run time, and who wants to know is told")
        func levelAtRunTime() async throws {
            let fixture = try await ServiceFixture()
            let log = fixture.client.log
            #expect(try await log.logLevel() == "info")
            #expect(try await log.syslogIdentifier() == "sentineld")
            let changes = try await fixture.client.record(
                MatchRule(path: "/org/freedesktop/LogControl1", member: "PropertiesChanged"))

            try await log.setLogLevel("info")
            try await log.setLogLevel("err")
            #expect(try await log.logLevel() == "err")
            try await log.setLogLevel("err")
            try await log.setLogLevel("debug")
            try await fixture.client.roundTrip()

            // A write that changes nothing makes no signal.
            let said = try await changes.signals.wait(for: 2).map { try PropertyChange($0) }
            #expect(said.count == 2)
            #expect(said.map(\.path) == ["/org/freedesktop/LogControl1", "/org/freedesktop/LogControl1"])
            #expect(said.map(\.interface) == ["org.freedesktop.LogControl1", "org.freedesktop.LogControl1"])
            #expect(said.map(\.changed) == [["LogLevel": .string("err")], ["LogLevel": .string("debug")]])
            try fixture.stop()
        }

        @Test("what is no level or target is refused with what is allowed")
        func badValues() async throws {
            let fixture = try await ServiceFixture()
            let log = fixture.client.log
            for level in ["loud", "", "INFO", "7", "warn", " info"] {
                await expectError(.invalidArgs, mentioning: "warning", "debug") { try await log.setLogLevel(level) }
            }
            #expect(try await log.logLevel() == "info")
            try await log.setLogTarget("console")
            try await log.setLogTarget("auto")
            await expectError(.invalidArgs, mentioning: "console") { try await log.setLogTarget("kmsg") }
            await expectError(.invalidArgs, mentioning: "LogLevel", "text (s)") {
                try await log.remote.setProperty("LogLevel", to: UInt32(3))
            }
            await expectError(.propertyReadOnly, mentioning: "SyslogIdentifier") {
                try await log.remote.setProperty("SyslogIdentifier", to: "other")
            }
            try fixture.stop()
        }

        @Test("the service lives on when nobody reads its log")
        func unreadLog() async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            let script = "exec \"$0\" --data-dir \"$1\" --log-level debug 2> >(exec head -c 1 >/dev/null)"
            let service = try ChildProcess(
                ["bash", "-c", script, BuiltProducts.path(of: "sentineld"), directory.path(of: "data")],
                environment: bus.environment)
            let client = try TestClient(on: bus)
            try await waitUntil("the service answers") { (try? await client.sentinel.health()) == "ok" }
            try await client.register("com.example.App")
            service.send(SIGTERM)
            #expect(try service.waitForEnd() == .exited(0))
        }

        @Test("a full log that nobody reads holds up nobody, and tells what is missing once it is read")
        func fullLog() async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            let pipe = directory.path(of: "log")
            #expect(mkfifo(pipe, 0o600) == 0)
            let descriptor = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            defer { close(descriptor) }
            let block = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
            while write(descriptor, block, block.count) > 0 {}
            let service = try ChildProcess(
                [
                    "bash", "-c", "exec \"$0\" --data-dir \"$1\" 2>\"$2\"", BuiltProducts.path(of: "sentineld"),
                    directory.path(of: "data"), pipe,
                ],
                environment: bus.environment)
            let client = try TestClient(on: bus)
            try await waitUntil("the service answers") { (try? await client.sentinel.health()) == "ok" }
            try await client.register("com.example.App")

            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            service.send(SIGTERM)
            #expect(try service.waitForEnd() == .exited(0))
            let count = read(descriptor, &buffer, buffer.count)
            let lines = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
            #expect(lines.first == "<4>messages lost before this, since nobody read them: 1")
            #expect(lines.last == "<6>ending: got SIGTERM")
        }

        @Test("what is wrong with the storage is in the log, and that it is over")
        func storage() async throws {
            let bus = try PrivateBus()
            let directory = try TemporaryDirectory()
            let data = directory.path(of: "data")
            #expect(FileManager.default.createFile(atPath: data, contents: Data()))
            let service = try await SentinelProcess.started(on: bus, dataDirectory: data)
            let client = try TestClient(on: bus)
            try await client.register("com.example.App")
            try FileManager.default.removeItem(atPath: data)
            try await client.register("com.example.Other")
            #expect(try await client.sentinel.health() == "ok")
            #expect(try service.stop() == .exited(0))

            let lines = service.process.errors.split(separator: "\n").filter { $0.contains("storage") }
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("<4>the storage is degraded: storage: memory; storage_error: ") == true)
            #expect(lines.first?.contains(data) == true)
            #expect(lines.last == "<5>the storage is well again")
        }
    }
}
