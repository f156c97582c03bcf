// SPDX-License-Identifier: MIT

@testable import DBus
import Dispatch
import Testing
import TestSupport

extension LiveTests {
    @Suite("Bus names and their owners", .timeLimit(.minutes(5)))
    struct NameOwnershipTests {
        private static let name: BusName = "org.sentinel.Test"
        let fixture: BusFixture

        init() throws {
            fixture = try BusFixture(activatable: [Self.name.text: "/bin/sleep 5"])
        }

        @Test("asking for a name has the outcome that the bus says")
        func outcomes() async throws {
            #expect(try await fixture.service.own(Self.name) == .primaryOwner)
            #expect(try await fixture.service.own(Self.name) == .alreadyOwner)
            #expect(try await fixture.client.own(Self.name) == .exists)
            #expect(try await fixture.client.own(Self.name, flags: []) == .inQueue)
            await fixture.service.disown(Self.name)
            #expect(try await fixture.client.own(Self.name) == .alreadyOwner)
        }

        @Test("a name that no one may own is refused by the bus", arguments: [":1.99", "org.freedesktop.DBus"])
        func refused(_ name: String) async throws {
            let refusal = await #expect(throws: DBusError.self) { try await fixture.service.own(BusName(name)) }
            #expect(refusal?.code == .invalidArgs)
        }

        @Test("losing a name to another owner is told")
        func nameLost() async throws {
            let lost = Recorder<Void>()
            let subscription = fixture.service.onNameLost(Self.name) { lost.append(()) }
            #expect(try await fixture.service.own(Self.name, flags: [.allowReplacement, .doNotQueue]) == .primaryOwner)
            #expect(lost.count == 0)
            #expect(try await fixture.client.own(Self.name, flags: [.replaceExisting]) == .primaryOwner)
            try await lost.wait()
            subscription.cancel()
        }

        @Test("200 calls that wait for a name's owner are all answered, those that come before its reply too")
        func backlog() async throws {
            let answered = Recorder<ErrorName?>()
            for _ in 0..<200 {
                let call = try Message.methodCall(to: Self.name, BusFixture.path, TestInterface.name, "AnswerTwice")
                fixture.client.call(call) { answered.append($0.error?.code) }
            }
            // They have reached the bus, which waits for the service that it has started.
            try await fixture.client.ping()
            #expect(answered.elements.isEmpty)
            #expect(try await fixture.service.own(Self.name) == .primaryOwner)
            #expect(try await answered.wait(for: 200).allSatisfy { $0 == nil })
            #expect(fixture.interface.called.count == 200)
        }

        @Test("the owner of a name is told: nobody, somebody, the bus")
        func owner() async throws {
            func owner(of name: BusName) async throws -> BusName? {
                try await withCheckedContinuation { continuation in
                    fixture.client.owner(of: name) { continuation.resume(returning: $0) }
                }.get()
            }
            #expect(try await owner(of: Self.name) == nil)
            _ = try await fixture.service.own(Self.name)
            #expect(try await owner(of: Self.name) == fixture.service.uniqueName)
            #expect(try await owner(of: .bus) == .bus)
            #expect(try await owner(of: fixture.service.uniqueName) == fixture.service.uniqueName)
        }

        @Test("whoever watches a name hears once who owns it and then of each change")
        func watchOwner() async throws {
            let owners = Recorder<BusName?>()
            let watch = fixture.client.watchOwner(of: Self.name) { owners.append($0) }
            #expect(try await owners.wait() == [nil])
            _ = try await fixture.service.own(Self.name)
            #expect(try await owners.wait(for: 2)[1] == fixture.service.uniqueName)
            let late = Recorder<BusName?>()
            let lateWatch = fixture.client.watchOwner(of: Self.name) { late.append($0) }
            #expect(try await late.wait() == [fixture.service.uniqueName])
            await fixture.service.disown(Self.name)
            #expect(try await owners.wait(for: 3)[2] == nil)
            watch.cancel()
            _ = try await fixture.service.own(Self.name)
            #expect(try await late.wait(for: 3)[2] == fixture.service.uniqueName)
            #expect(owners.count == 3)
            lateWatch.cancel()
            try await fixture.settle()
            #expect(try await fixture.client.ruleCountOfBus() == 0)
        }

        @Test("an owner that crashes is one that goes")
        func crash() async throws {
            let owners = Recorder<BusName?>()
            let watch = fixture.client.watchOwner(of: fixture.service.uniqueName) { owners.append($0) }
            try await owners.wait()
            fixture.service.close()
            #expect(try await owners.wait(for: 2) == [fixture.service.uniqueName, nil])
            watch.cancel()
        }

        @Test("a watch that is cancelled at once is told nothing")
        func cancelledWatch() async throws {
            let owners = Recorder<BusName?>()
            await fixture.client.perform { client in
                client.watchOwner(of: Self.name) { owners.append($0) }.cancel()
                // On another thread as well, while the loop is busy with this job.
                let done = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    client.watchOwner(of: Self.name) { owners.append($0) }.cancel()
                    done.signal()
                }
                done.wait()
            }
            try await fixture.settle()
            #expect(owners.elements.isEmpty)
        }

        @Test("the bus tells a peer's process and user")
        func credentials() async throws {
            let credentials = try await withCheckedContinuation { continuation in
                fixture.client.credentials(of: fixture.service.uniqueName) { continuation.resume(returning: $0) }
            }.get()
            #expect(try credentials["ProcessID"]?.integer() == Int64(currentProcess()))
            #expect(credentials["UnixUserID"] != nil)
        }

        @Test("a peer that is gone has no credentials but an error")
        func credentialsOfNobody() async throws {
            let result = await withCheckedContinuation { continuation in
                fixture.client.credentials(of: ":1.12345") { continuation.resume(returning: $0) }
            }
            #expect(result.error?.code == .nameHasNoOwner)
        }
    }
}
