// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// The machine as its files tell, without services of the system.
    @Suite("Device", .serialized, .timeLimit(.minutes(5)))
    struct DeviceTests {
        private static let variables = [
            "LC_ALL": "", "LC_MESSAGES": "pt_BR.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Australia/Lord_Howe",
            "XDG_SESSION_TYPE": "wayland", "XDG_CURRENT_DESKTOP": "ubuntu:GNOME",
        ]

        private func text(_ path: String) throws -> String {
            try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func field(_ name: String, in path: String, separator: Character = ":") throws -> String {
            let line = try #require(try text(path).split(separator: "\n").first { $0.hasPrefix(name) })
            let value = try #require(line.split(separator: separator, maxSplits: 1).last)
            return value.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        }

        @Test("the properties are what the machine's own files and the session's variables tell")
        func properties() async throws {
            let fixture = try await FactsFixture(environment: Self.variables)
            let facts = try await fixture.client.properties(of: "org.sentinel.Device1")
            #expect(facts.count == 19)
            #expect(facts["Kernel"] == .string(try text("/proc/sys/kernel/osrelease")))
            #expect(
                facts["Architecture"] == .string(try await Command.run(["uname", "-m"]).output.dropLast().description))
            let memory = try #require(UInt64(try field("MemTotal", in: "/proc/meminfo").dropLast(3)))
            #expect(facts["MemoryTotal"] == .uint64(memory << 10))
            #expect(facts["ProcessorCount"] == .uint32(UInt32(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
            let model = try field("model name", in: "/proc/cpuinfo")
            #expect(facts["Processor"] == .string(model.split(separator: " ").joined(separator: " ")))
            #expect(
                facts["SystemVersion"] == .string(try field("PRETTY_NAME", in: "/etc/os-release", separator: "=")))
            #expect(facts["Locale"] == .string("pt_BR.UTF-8"))
            #expect(facts["TimeZone"] == .string("Australia/Lord_Howe"))
            #expect(facts["SessionType"] == .string("wayland"))
            #expect(facts["Desktop"] == .string("ubuntu:GNOME"))
            let start = try #require(Int64(try field("btime", in: "/proc/stat", separator: " ")))
            #expect(facts["BootTime"] == .int64(start * 1_000_000))
            #expect(facts["ProximityState"] == .string("unavailable"))
            if !FileManager.default.fileExists(atPath: "/etc/machine-info") {
                #expect(facts["Name"] == .string(ProcessInfo.processInfo.hostName))
            }
            try fixture.stop()
        }

        @Test("without a system bus all is told at once, and what cannot be had says why")
        func withoutSystemBus() async throws {
            let fixture = try await FactsFixture(environment: Self.variables)
            _ = try await fixture.client.device.content()
            var screen: [Section] = []
            let isQuick = try await takesLess(than: .seconds(1)) {
                let start = ContinuousClock.now
                screen = try await fixture.client.device.content()
                return .now - start
            }
            #expect(isQuick)
            expectSound(screen)
            #expect(screen.map(\.id) == ["machine", "system", "resources", "power", "session"])
            #expect(screen.value("session_type") == .string("wayland"))
            #expect(screen["session_type"]?.attributes["description"] == .string("source: XDG_SESSION_TYPE"))
            #expect(screen.error("proximity_state")?.contains("iio-sensor-proxy") == true)
            #expect(screen.error("session_locked")?.contains("logind") == true)
            #expect(screen.value("proximity_state") == nil)
            guard case .int64(let available)? = screen.value("memory_available") else {
                Issue.record("no memory available")
                return
            }
            let total = try await fixture.client.device.memoryTotal()
            #expect(available > 0 && available < total)
            try fixture.stop()
        }

        @Test("the raw machine id appears nowhere; what stands for it is the same after a restart")
        func machineID() async throws {
            let raw = try text("/etc/machine-id")
            try #require(raw.utf8.count == 32)
            let fixture = try await FactsFixture()
            let identifier = try await fixture.client.device.identifier()
            #expect(identifier.utf8.count == 32)
            #expect(identifier.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
            #expect(identifier != raw)
            let path = try await fixture.client.register("com.example.App")
            let said = [
                "\(try await fixture.client.properties(of: "org.sentinel.Device1"))",
                "\(try await fixture.client.device.content())",
                "\(try await fixture.client.application(at: path).content())",
                "\(try await fixture.client.sentinel.inspect(processID: UInt32(getpid())))",
                try await fixture.client.sentinel.describe(options: [:]),
                fixture.service.process.errors,
            ]
            for text in said {
                #expect(!text.lowercased().contains(raw))
            }
            // Nor in the form that identifiers of systemd have, which leads from one application to the next.
            #expect(said[4].contains(identifier))
            try fixture.stop()
            let again = try await FactsFixture()
            #expect(try await again.client.device.identifier() == identifier)
        }

        @Test("the description holds the device with the names and values of the properties")
        func description() async throws {
            let fixture = try await FactsFixture(environment: Self.variables)
            let device = try #require(try JSON(try await fixture.client.sentinel.describe(options: [:]))["device"])
            let facts = try await fixture.client.properties(of: "org.sentinel.Device1")
            #expect(device["kernel"]?.text == (try await fixture.client.device.kernel()))
            #expect(device["session_type"] == "wayland")
            #expect(device["time_zone"] == "Australia/Lord_Howe")
            #expect(device["memory_total"] == .number(Double(try await fixture.client.device.memoryTotal())))
            #expect(device["boot_time"] == .number(Double(try await fixture.client.device.bootTime())))
            // What is not known is left out rather than given as nothing.
            #expect(device["proximity_state"] == nil)
            for (property, key) in [("Model", "model"), ("Vendor", "vendor"), ("Chassis", "chassis")] {
                #expect((facts[Key(property)] == .string("")) == (device[key] == nil), "\(property)")
            }
            try fixture.stop()
        }
    }
}
