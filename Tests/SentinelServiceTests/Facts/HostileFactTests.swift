// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// Processes and files that are not what they should be, and callers in bad moments.
    @Suite("Hostile facts", .serialized, .timeLimit(.minutes(5)))
    struct HostileFactTests {
        @Test("text of processes and files does nothing on a screen but stand there, cut where it is long")
        func text() async throws {
            let long = String(repeating: "long ", count: 20_000)
            let fixture = try await FactsFixture { tree, _ in
                try tree.write(
                    "home/applications/com.example.App.desktop",
                    "[Desktop Entry]\nType=Application\nName=a\u{202e}b\\nc\\td\nExec=x\n")
            }
            let child = try RegisteredProcess(
                "com.example.App", on: fixture.bus, arguments: ["new\nline", "\u{1b}[2J", "\u{2028}", "\u{9b}m", long])
            let application = fixture.client.application(at: child.path)
            let screen = try await application.content()
            expectSound(screen)
            #expect(screen.value("desktop_entry.name") == .string("a\u{FFFD}b␊c␉d"))
            guard case .string(let commandLine)? = screen.value("command_line") else {
                Issue.record("no command line")
                return
            }
            #expect(commandLine.contains("new␊line ␛[2J \u{FFFD} \u{FFFD}m long"))
            #expect(commandLine.hasSuffix("…"))
            // The property has the arguments as they are.
            #expect(try await application.commandLine().suffix(5).first == "new\nline")
            #expect(try await application.commandLine().last == long)
            let inspected = try await fixture.client.sentinel.inspect(processID: UInt32(child.identifier))
            expectSound(inspected)
            try fixture.stop()
        }

        @Test("processes that end while they are read take nothing with them")
        func vanishing() async throws {
            let fixture = try await FactsFixture()
            let before = try fixture.descriptorCount
            let children = try (0..<8).map {
                try RegisteredProcess("com.example.App\($0)", on: fixture.bus)
            }
            let calls = Recorder<Bool>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for child in children {
                    let application = fixture.client.application(at: child.path)
                    let performance = fixture.client.performance(at: child.path)
                    for _ in 0..<3 {
                        group.addTask {
                            expectSound(try await application.content())
                            expectSound(try await performance.content())
                            do {
                                _ = try await performance.sample()
                            } catch {
                                #expect((error as? DBusError)?.code == "org.sentinel.Error.Unavailable", "\(error)")
                            }
                            do {
                                let inspector = fixture.client.sentinel
                                expectSound(try await inspector.inspect(processID: UInt32(child.identifier)))
                            } catch {
                                #expect((error as? DBusError)?.code == .unixProcessIdUnknown, "\(error)")
                            }
                            calls.append(true)
                        }
                    }
                    group.addTask { child.process.send(SIGKILL) }
                }
                try await group.waitForAll()
            }
            #expect(calls.count == 24)
            for child in children {
                let application = fixture.client.application(at: child.path)
                try await waitUntil("\(child.path) has ended") { try await !application.running() }
                await expectError("org.sentinel.Error.Unavailable", mentioning: "no instance") {
                    _ = try await fixture.client.performance(at: child.path).sample()
                }
                #expect(try await application.executable() == "")
            }
            // A few descriptors stay: those of the machine's files that every reading needs.
            try await waitUntil("nothing is held of processes that are gone") {
                try fixture.descriptorCount <= before + 8
            }
            try fixture.stop()
        }

        @Test("an application that is forgotten while it is read is not heard of again")
        func forgotten() async throws {
            let fixture = try await FactsFixture { tree, _ in
                for number in 0..<20 {
                    try tree.write(
                        "home/applications/com.example.App\(number).desktop",
                        "[Desktop Entry]\nType=Application\nName=x\nExec=x\n")
                }
            }
            let signals = try await fixture.client.record(MatchRule(sender: TestClient.service))
            for number in 0..<20 {
                let id = "com.example.App\(number)"
                let sentinel = fixture.client.sentinel
                async let registered = sentinel.register(applicationID: id, options: [:])
                async let forgotten: () = sentinel.forget(applicationID: id, options: [:])
                _ = try await registered
                // Either may come first.
                do { try await forgotten } catch { try await sentinel.forget(applicationID: id, options: [:]) }
            }
            _ = try await fixture.client.application(at: "/org/sentinel").content()
            try await fixture.client.roundTrip()
            var there: Set<String> = ["/org/sentinel"]
            for signal in signals.signals.elements {
                switch signal.member {
                case "InterfacesAdded", "InterfacesRemoved":
                    var body = signal.body
                    let path = try body.read(ObjectPath.self).text
                    if signal.member == "InterfacesAdded" {
                        #expect(there.insert(path).inserted)
                    } else {
                        #expect(there.remove(path) != nil)
                    }
                case "PropertiesChanged":
                    #expect(there.contains(signal.path?.text ?? ""), "\(signal.path?.text ?? "")")
                default: break
                }
            }
            #expect(there == ["/org/sentinel"])
            try fixture.stop()
        }

        @Test("the managed objects are listed without a look at any process")
        func managedObjects() async throws {
            // Waking up reads eight bytes; the smallest reading of one process has hundreds.
            let limit = 10 * 100
            guard try await bytesOfTenLists() >= limit else { return }
            // The database's log is read too, once, a second or two after the last change.
            #expect(try await bytesOfTenLists(after: .seconds(2)) < limit)
        }

        /// How many bytes a new service reads to list its objects ten times, after some rest.
        private func bytesOfTenLists(after rest: Duration = .zero) async throws -> Int {
            let fixture = try await FactsFixture()
            for number in 0..<20 {
                try await fixture.client.register("com.example.App\(number)")
            }
            for number in 0..<20 {
                let application = fixture.client.application(
                    at: try ObjectPath("/org/sentinel/apps/com_2eexample_2eApp\(number)"))
                try await waitUntil("its facts have been read") { try await application.startTime() != 0 }
            }
            let own = fixture.client.application(at: "/org/sentinel")
            try await waitUntil("the service's too") { try await own.startTime() != 0 }
            try await fixture.rest(for: rest, "the service rests")
            let before = try fixture.readBytes
            for _ in 0..<10 {
                #expect(try await fixture.client.managedObjects().count == 20)
            }
            let read = try fixture.readBytes - before
            try fixture.stop()
            return read
        }
    }
}
