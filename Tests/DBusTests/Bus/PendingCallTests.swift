// SPDX-License-Identifier: MIT

@testable import DBus
import Foundation
import Testing
import TestSupport

extension LiveTests {
    @Suite("Waiting for replies", .timeLimit(.minutes(5)))
    struct PendingCallTests {
        let fixture: BusFixture

        init() throws {
            fixture = try BusFixture()
        }

        private func hold() throws -> Message {
            try fixture.message("Hold") { (writer) throws(DBusError) in try writer.write([UInt8]()) }
        }

        private func pendingCount() async -> Int {
            await fixture.client.perform { $0.pendingCallCount }
        }

        @Test("without a reply in time a call ends, and the late reply is dropped")
        func deadline() async throws {
            let outcomes = Recorder<ErrorName?>()
            let message = try hold()
            // On the loop's thread, so that it is sent before its time is over.
            await fixture.client.perform { client in
                _ = client.call(message, timeout: .milliseconds(50)) { outcomes.append($0.error?.code) }
            }
            #expect(try await outcomes.wait() == [.noReply])
            #expect(await pendingCount() == 0)
            try await fixture.interface.held.wait()[0].answer { _ in }
            try await fixture.settle()
            #expect(outcomes.count == 1)
            #expect(await pendingCount() == 0)
        }

        @Test("a call without time ends", arguments: [Duration.zero, .seconds(-1)])
        func noTime(_ timeout: Duration) async throws {
            let refusal = await #expect(throws: DBusError.self) {
                try await fixture.client.call(hold(), timeout: timeout)
            }
            #expect(refusal?.code == .noReply)
        }

        @Test("a call may have all the time there is")
        func allTime() async throws {
            let reply = try await fixture.client.call(fixture.message("AnswerTwice"), timeout: .seconds(Int64.max))
            #expect(reply.kind == .methodReturn)
        }

        @Test("a reply that came in time counts, however late the loop takes note of it", arguments: [0, 100])
        func lateLoop(signalsBefore: Int) async throws {
            let subscription = fixture.client.subscribe(to: MatchRule(member: "Changed")) { _ in }
            defer { subscription.cancel() }
            try await fixture.settle()
            let outcomes = Recorder<ErrorName?>()
            fixture.client.call(try hold(), timeout: .seconds(2)) { outcomes.append($0.error?.code) }
            let held = try await fixture.interface.held.wait()
            let (begun, over) = (Recorder<Void>(), DispatchSemaphore(value: 0))
            fixture.client.loop.enqueue {
                begun.append(())
                over.wait()
            }
            try await begun.wait()
            for _ in 0..<signalsBefore { try fixture.emit() }
            held[0].answer { _ in }
            try await fixture.service.ping()
            try await Task.sleep(for: .seconds(2))
            over.signal()
            #expect(try await outcomes.wait() == [nil])
        }

        @Test("a call that is cancelled before it is sent is not sent")
        func cancelledBefore() async throws {
            let outcomes = Recorder<ErrorName?>()
            let message = try hold()
            await fixture.client.perform { client in
                // The loop is busy with this job, so that nothing is sent meanwhile.
                let done = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    client.call(message) { outcomes.append($0.error?.code) }.cancel()
                    done.signal()
                }
                done.wait()
            }
            #expect(try await outcomes.wait() == [.cancelled])
            try await fixture.settle()
            #expect(outcomes.elements == [.cancelled])
            #expect(fixture.interface.called.elements.isEmpty)
        }

        @Test("a call that is cancelled while it waits ends once, its late reply is dropped")
        func cancelledAfter() async throws {
            let outcomes = Recorder<ErrorName?>()
            let pending = fixture.client.call(try hold()) { outcomes.append($0.error?.code) }
            let held = try await fixture.interface.held.wait()
            pending.cancel()
            pending.cancel()
            #expect(outcomes.elements == [.cancelled])
            held[0].answer { _ in }
            try await fixture.settle()
            #expect(outcomes.elements == [.cancelled])
            #expect(await pendingCount() == 0)
        }

        @Test("a call that has its reply is not cancelled")
        func cancelledTooLate() async throws {
            let outcomes = Recorder<ErrorName?>()
            let pending = fixture.client.call(try fixture.message("AnswerTwice")) { outcomes.append($0.error?.code) }
            try await outcomes.wait()
            pending.cancel()
            #expect(outcomes.elements == [nil])
        }

        @Test("a task that is cancelled gives its call up")
        func taskCancelled() async throws {
            let message = try hold()
            let task = Task { try await fixture.client.call(message) }
            try await fixture.interface.held.wait()
            task.cancel()
            let refusal = await #expect(throws: DBusError.self) { try await task.value }
            #expect(refusal?.code == .cancelled)
            _ = await fixture.client.perform { _ in }
            #expect(await pendingCount() == 0)
        }

        @Test("a task that is cancelled already sends nothing")
        func taskCancelledBefore() async throws {
            let message = try hold()
            let gate = Recorder<Void>()
            let task = Task {
                try await waitUntil("the cancellation") { gate.count > 0 }
                return try await fixture.client.call(message)
            }
            task.cancel()
            gate.append(())
            await #expect(throws: (any Error).self) { try await task.value }
            try await fixture.settle()
            #expect(fixture.interface.called.elements.isEmpty)
        }

        @Test("cancelling and answering at once end a call once", arguments: 0..<4)
        func race(_ round: Int) async throws {
            let outcomes = Recorder<ErrorName?>()
            let count = 500
            for _ in 0..<count {
                let pending = fixture.client.call(try fixture.message("AnswerTwice")) {
                    outcomes.append($0.error?.code)
                }
                DispatchQueue.global().async { pending.cancel() }
            }
            try await outcomes.wait(for: count)
            try await fixture.settle()
            #expect(outcomes.count == count)
            #expect(await pendingCount() == 0)
        }

        @Test("a message can be sent again: each call gets its own reply")
        func sentTwice() async throws {
            let message = try fixture.message("AnswerTwice")
            let outcomes = Recorder<ErrorName?>()
            for _ in 0..<3 {
                fixture.client.call(message, timeout: patience) { outcomes.append($0.error?.code) }
            }
            #expect(try await outcomes.wait(for: 3) == [nil, nil, nil])
        }

        @Test("a call to a name that nobody has ends with the bus's error")
        func nobody() async throws {
            let call = try Message.methodCall(to: "org.sentinel.Nobody", "/", nil, "Ping")
            let refusal = await #expect(throws: DBusError.self) { try await fixture.client.call(call) }
            #expect(refusal?.code == .serviceUnknown)
        }

        @Test("only the peer that was called can answer")
        func forgedReply() async throws {
            let message = try hold()
            let outcomes = Recorder<BusName?>()
            fixture.client.call(message) { outcomes.append(try? $0.get().sender) }
            let held = try await fixture.interface.held.wait()
            let serial = held[0].message.serial
            // A peer that guesses the number answers first; whether the bus lets it pass is the bus's policy.
            let forger = try RawPeer(connectingTo: fixture.bus)
            forger.send(bytes: try Wire.reply(to: fixture.client.uniqueName, serial: serial))
            forger.send(
                try Message.methodCall(to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping"),
                serial: 99)
            _ = try forger.receive { $0.replySerial == 99 }
            try await fixture.settle()
            #expect(outcomes.elements.isEmpty)
            held[0].answer { _ in }
            #expect(try await outcomes.wait() == [fixture.service.uniqueName])
        }

        @Test("a connection lives on while a call waits, though nobody else holds it")
        func keptAlive() async throws {
            let outcomes = Recorder<ErrorName?>()
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            try Connection(to: BusAddress(fixture.bus.address), on: loop)
                .call(
                    try fixture.message("AnswerElsewhere") { (writer) throws(DBusError) in try writer.write(UInt32(1)) }
                ) {
                    outcomes.append($0.error?.code)
                }
            #expect(try await outcomes.wait() == [nil])
        }
    }
}

extension Result {
    var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
