// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Restart", .serialized, .timeLimit(.minutes(5)))
    struct RestartTests {
        private let bus: PrivateBus
        private let directory: TemporaryDirectory

        init() throws {
            bus = try PrivateBus()
            directory = try TemporaryDirectory()
        }

        private func start() async throws -> SentinelProcess {
            try await SentinelProcess.started(on: bus, dataDirectory: directory.path(of: "data"))
        }

        @Test("applications are known after a restart with what they said", arguments: [SIGTERM, SIGKILL])
        func knownApplications(signal: Int32) async throws {
            var service = try await start()
            let client = try TestClient(on: bus)
            let options: [Key: Value] = [
                "name": .string("Ap\u{301}p"), "version": .string("1.2"), "build": .string("7"),
                "icon": .string("star"),
            ]
            let path = try await client.register("com.example.App", options)
            try await client.register("com.example.Other")
            service.process.send(signal)
            try service.process.waitForEnd()
            service = try await start()

            let list = try await client.sentinel.listApplications()
            #expect(list.map(\.id) == ["com.example.App", "com.example.Other", "org.sentinel"])
            #expect(list.map(\.running) == [false, false, true])
            let application = client.application(at: path)
            #expect(try await Array(application.name().utf8) == Array("Ap\u{301}p".utf8))
            #expect(try await application.version() == "1.2")
            #expect(try await application.build() == "7")
            #expect(try await application.icon() == "star")
            #expect(try await application.instances() == [])
            #expect(try await client.sentinel.health() == "ok")
            #expect(try await client.managedObjects()[path] != nil)

            // Registering says nothing new of it: what it said before holds.
            try await client.register("com.example.App")
            #expect(try await application.running())
            #expect(try await application.version() == "1.2")
            #expect(try service.stop() == .exited(0))
        }

        @Test("clients that register again on Ready make the list complete within two seconds")
        func ready() async throws {
            var service = try await start()
            let clients = try (0..<8).map { _ in try TestClient(on: bus) }
            let failures = Recorder<String>()
            var subscriptions: [Subscription] = []
            for (number, client) in clients.enumerated() {
                let rule = MatchRule(interface: Sentinel1.name, member: "Ready")
                subscriptions.append(
                    client.connection.subscribe(to: rule) { [weak client] _ in
                        Task {
                            do {
                                try await client?.register("com.example.App\(number)")
                            } catch {
                                failures.append("\(error)")
                            }
                        }
                    })
                try await client.register("com.example.App\(number)")
            }
            for signal in [SIGKILL, SIGTERM, SIGKILL] {
                let isQuick = try await takesLess(than: .seconds(2)) {
                    service.process.send(signal)
                    try service.process.waitForEnd()
                    service = try await start()
                    let beginning = ContinuousClock.now
                    try await waitUntil("all are back") {
                        try await clients[0].sentinel.listApplications().filter(\.running).count == 9
                    }
                    return .now - beginning
                }
                #expect(isQuick)
            }
            #expect(failures.elements == [])
            subscriptions.forEach { $0.cancel() }
            #expect(try service.stop() == .exited(0))
        }

        @Test("Ready comes from the service's object once it owns its name")
        func readySignal() async throws {
            let client = try TestClient(on: bus)
            let recorded = try await client.record(MatchRule(interface: Sentinel1.name, member: "Ready"))
            let service = try await start()
            let signal = try await recorded.signals.wait()[0]
            #expect(signal.path == "/org/sentinel")
            #expect(signal.signature == "")
            #expect(try await signal.sender?.text == client.nameOfService())
            #expect(recorded.signals.count == 1)
            #expect(try service.stop() == .exited(0))
        }

        @Test("what is forgotten stays forgotten after a crash; its object goes and its instances with it")
        func forget() async throws {
            var service = try await start()
            let client = try TestClient(on: bus)
            let path = try await client.register("com.example.App", ["name": .string("App")])
            try await client.register("com.example.Stays")
            let removed = try await client.record(
                MatchRule(interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesRemoved"))
            let changes = try await client.recordChanges()

            try await client.sentinel.forget(applicationID: "com.example.App", options: [:])
            let signal = try await removed.signals.wait()[0]
            var body = signal.body
            #expect(signal.path == "/org/sentinel")
            #expect(try body.read(ObjectPath.self) == path)
            #expect(
                try Set(body.read([String].self)) == [
                    "org.sentinel.Application1", "org.sentinel.Tools1", "org.sentinel.Preferences1",
                    "org.sentinel.Performance1",
                ])
            await expectError(.unknownObject) { _ = try await client.application(at: path).name() }
            #expect(try await client.entry(of: "com.example.App") == nil)
            #expect(try await client.managedObjects()[path] == nil)

            // The instance has gone with it: its connection's end is nobody's news.
            let other = try TestClient(on: bus)
            try await other.register("com.example.Stays")
            other.close()
            try await changes.signals.wait(for: 2)
            #expect(
                try changes.signals.elements.allSatisfy { try PropertyChange($0).path?.text.hasSuffix("Stays") == true }
            )

            service.process.send(SIGKILL)
            try service.process.waitForEnd()
            service = try await start()
            #expect(try await client.sentinel.listApplications().map(\.id) == ["com.example.Stays", "org.sentinel"])

            // It can come back, as if it had never been.
            try await client.register("com.example.App")
            #expect(try await client.application(at: path).name() == "com.example.App")
            #expect(try service.stop() == .exited(0))
        }
    }
}
