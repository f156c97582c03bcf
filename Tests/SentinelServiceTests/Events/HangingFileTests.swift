// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    /// A file system that does not answer keeps whoever asks it something in the kernel, and closing asks it too.
    @Suite(
        "Files that hang", .serialized, .enabled(if: HangingFileSystem.isPossible, "only root may mount"),
        .timeLimit(.minutes(5)))
    struct HangingFileTests {
        private let fixture: ServiceFixture
        private let files: HangingFileSystem
        private var client: TestClient { fixture.client }

        init() async throws {
            fixture = try await ServiceFixture()
            files = try HangingFileSystem(without: fixture.service.process.identifier)
        }

        private func call(_ member: MemberName, format: String) throws -> Message {
            try Message.methodCall(
                to: TestClient.service, "/org/sentinel", Events1.name, member
            ) { (writer) throws(DBusError) in
                try writer.write(file)
                try writer.write(format)
                try writer.write([Key: Value]())
            }
        }

        private var file: FileDescriptor {
            get throws(DBusError) {
                do {
                    return try files.open()
                } catch {
                    throw DBusError(.failed, "\(error)")
                }
            }
        }

        /// Has the service do something on its loop's thread and in its store.
        private func expectAnswers() async throws {
            _ = try await client.record()
            #expect(try await client.events.count(filter: [:]) > 0)
        }

        @Test("what a transfer asks of its file holds up nobody else", arguments: ["Export", "Import"] as [MemberName])
        func transfer(member: MemberName) async throws {
            let facts = ProcessFacts(identifier: fixture.service.process.identifier)
            try await expectAnswers()
            let other = try TestClient(on: fixture.bus)
            _ = try await other.sentinel.version()
            let outcomes = Recorder<ErrorName?>()
            other.connection.call(try call(member, format: "jsonl")) { outcomes.append($0.errorCode) }
            try await waitUntil("the file is looked at") { files.waitingCount(for: .attributes) == 1 }
            #expect(try facts.descriptorCount(of: files.path) > 0)
            try await expectAnswers()
            other.close()
            try await expectAnswers()
            #expect(outcomes.elements.allSatisfy { $0 == .disconnected })

            files.end()
            try await waitUntil("all is let go of") { try facts.descriptorCount(of: files.path) == 0 }
            try await expectAnswers()
        }

        @Test("a file of a call that is refused is closed beside the loop")
        func refusal() async throws {
            try await expectAnswers()
            let facts = ProcessFacts(identifier: fixture.service.process.identifier)
            await expectError(.invalidArgs, mentioning: "jsonl and csv") {
                _ = try await client.connection.call(try call("Export", format: "xml"))
            }
            await expectError(.invalidArgs) {
                // It takes no descriptor, but is sent one.
                _ = try await client.connection.call(try call("Resume", format: ""))
            }
            try await client.events.pause(seconds: 0)
            await expectError("org.sentinel.Error.Paused") {
                _ = try await client.connection.call(try call("Import", format: "csv"))
            }
            try await client.events.resume()
            // Each call by itself.
            try await waitUntil("three are being closed") { files.waitingCount(for: .flush) == 3 }
            try await expectAnswers()
            files.end()
            try await waitUntil("all is let go of") { try facts.descriptorCount(of: files.path) == 0 }
        }
    }
}
