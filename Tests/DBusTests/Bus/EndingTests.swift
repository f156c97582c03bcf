// SPDX-License-Identifier: MIT

@testable import DBus
import Dispatch
import Foundation
import Testing
import TestSupport

func currentProcess() -> Int32 { getpid() }

extension LiveTests {
    @Suite("Ends of connections", .timeLimit(.minutes(5)))
    struct EndingTests {
        let fixture: BusFixture

        init() throws {
            fixture = try BusFixture()
        }

        private func hold() throws -> Message {
            try fixture.message("Hold") { (writer) throws(DBusError) in try writer.write([UInt8]()) }
        }

        @Test("the end of the bus fails all that is pending and is told once", arguments: [true, false])
        func endOfBus(_ isKilled: Bool) async throws {
            let outcomes = Recorder<ErrorName?>()
            let ends = Recorder<ErrorName>()
            let endedSubscriptions = Recorder<ErrorName>()
            fixture.client.onEnd { ends.append($0.code) }
            let subscription = fixture.client.subscribe(
                to: MatchRule(member: "Changed"), ended: { endedSubscriptions.append($0.code) }, { _ in })
            for _ in 0..<20 {
                fixture.client.call(try hold()) { outcomes.append($0.error?.code) }
            }
            try await fixture.interface.held.wait(for: 20)
            fixture.bus.send(isKilled ? SIGKILL : SIGTERM)
            try await ends.wait()
            #expect(try await outcomes.wait(for: 20).allSatisfy { $0 == .disconnected })
            #expect(endedSubscriptions.elements == [.disconnected])

            // What comes later fails at once, and the end is told to those who ask late.
            let late = await #expect(throws: DBusError.self) { try await fixture.client.call(hold()) }
            #expect(late?.code == .disconnected)
            let lateSubscription = fixture.client.subscribe(
                to: MatchRule(), ended: { endedSubscriptions.append($0.code) }, { _ in })
            fixture.client.onEnd { ends.append($0.code) }
            try await ends.wait(for: 2)
            #expect(try await endedSubscriptions.wait(for: 2) == [.disconnected, .disconnected])
            fixture.client.close()
            fixture.client.close()
            _ = await fixture.client.perform { _ in }
            #expect(ends.count == 2)
            #expect(outcomes.count == 20)
            [subscription, lateSubscription].forEach { $0.cancel() }
        }

        @Test("a loop at rest after the end of its bus sleeps")
        func restAfterEnd() async throws {
            let ends = Recorder<Void>()
            fixture.client.onEnd { _ in ends.append(()) }
            fixture.bus.close()
            try await ends.wait()
            let before = await fixture.client.perform { _ in threadSeconds() }
            try await Task.sleep(for: .milliseconds(300))
            let after = await fixture.client.perform { _ in threadSeconds() }
            #expect(after - before < 0.05)
        }

        @Test("closing sends what waits, also from another thread", arguments: [true, false])
        func closeFlushes(_ onLoop: Bool) async throws {
            let received = Recorder<Int>()
            let subscription = fixture.client.subscribe(to: MatchRule(member: "Changed")) { signal in
                received.append(1)
            }
            try await fixture.settle()
            let payload = [UInt8](repeating: 1, count: 100_000)
            let service = fixture.service
            let send: @Sendable () -> Void = {
                for _ in 0..<100 {
                    do {
                        service.send(
                            try Message.signal(from: "/", TestInterface.name, "Changed") { (writer) throws(DBusError) in
                                try writer.write(payload)
                            })
                    } catch {
                        Issue.record(error)
                    }
                }
                service.close()
            }
            if onLoop {
                service.loop.enqueue(send)
            } else {
                send()
            }
            try await received.wait(for: 100)
            subscription.cancel()
        }

        @Test("closing fails what is pending, and nothing comes after it")
        func close() async throws {
            let outcomes = Recorder<ErrorName?>()
            let ends = Recorder<Void>()
            fixture.client.onEnd { _ in ends.append(()) }
            fixture.client.call(try hold()) { outcomes.append($0.error?.code) }
            try await fixture.interface.held.wait()
            fixture.client.close()
            fixture.client.close()
            #expect(try await outcomes.wait() == [.disconnected])
            try await ends.wait()
            let late = await #expect(throws: DBusError.self) { try await fixture.client.call(hold()) }
            #expect(late?.code == .disconnected)
            #expect(ends.count == 1)
        }

        @Test("a handler that closes the connection is the last that is called")
        func closeInHandler() async throws {
            let received = Recorder<Void>()
            let client = fixture.client
            let subscription = client.subscribe(to: MatchRule(member: "Changed")) { _ in
                received.append(())
                client.close()
            }
            try await fixture.settle()
            await fixture.service.perform { _ in
                for _ in 0..<50 {
                    _ = try? fixture.emit()
                }
            }
            let ends = Recorder<Void>()
            client.onEnd { _ in ends.append(()) }
            try await ends.wait()
            _ = await client.perform { _ in }
            #expect(received.count == 1)
            subscription.cancel()
        }

        @Test("a bus that takes nothing does not hold up closing for long")
        func closeStuck() async throws {
            let payload = [UInt8](repeating: 1, count: 1 << 20)
            fixture.bus.send(SIGSTOP)
            for _ in 0..<8 {
                try fixture.emit { (writer) throws(DBusError) in try writer.write(payload) }
            }
            let ends = Recorder<Void>()
            fixture.service.onEnd { _ in ends.append(()) }
            let start = ContinuousClock.now
            fixture.service.close()
            try await ends.wait()
            #expect(ContinuousClock.now - start < .seconds(10))
            fixture.bus.send(SIGCONT)
        }

        @Test("a loop that is stopped ends its connections")
        func loopStopped() async throws {
            let outcomes = Recorder<ErrorName?>()
            let ends = Recorder<Void>()
            fixture.client.onEnd { _ in ends.append(()) }
            fixture.client.call(try hold()) { outcomes.append($0.error?.code) }
            try await fixture.interface.held.wait()
            fixture.client.loop.stop()
            #expect(try await outcomes.wait() == [.disconnected])
            try await ends.wait()
            fixture.client.onEnd { _ in ends.append(()) }
            #expect(ends.count == 2)
            let late = await #expect(throws: DBusError.self) { try await fixture.client.call(hold()) }
            #expect(late?.code == .disconnected)
        }

        @Test("a connection that nobody holds any more ends, and tells it")
        func dropped() async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            let ends = Recorder<String>()
            var connection: Connection? = try Connection(to: BusAddress(fixture.bus.address), on: loop)
            let name = try #require(connection?.uniqueName)
            connection?.onEnd { _ in ends.append("connection") }
            let subscription = connection?.subscribe(
                to: MatchRule(), ended: { _ in ends.append("subscription") }, { _ in })
            try await connection?.ping()
            let gone = Recorder<Void>()
            let watch = fixture.client.watchOwner(of: name) { owner in
                if owner == nil {
                    gone.append(())
                }
            }
            try await fixture.settle()
            connection = nil
            try await gone.wait()
            #expect(try await ends.wait(for: 2).sorted() == ["connection", "subscription"])
            subscription?.cancel()
            watch.cancel()
        }

        @Test(
            "a bus that is not there is an error", arguments: ["unix:path=/nowhere/bus", "nonsense", "unix:", "a:b=c"])
        func noBus(_ address: String) throws {
            let loop = try EventLoop()
            #expect(throws: DBusError.self) { try Connection(to: BusAddress(address), on: loop) }
        }

        @Test("500 connections one after the other leave no descriptors and no threads")
        func leaks() async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            try await fixture.settle()
            let descriptors = try ProcessResources.descriptorCount
            let threads = try ProcessResources.threadCount
            for round in 0..<500 {
                let isShared = round % 2 == 0
                let connection = try Connection(
                    to: BusAddress(fixture.bus.address), on: isShared ? loop : EventLoop.startThread())
                try await connection.ping()
                if round % 5 != 0 {
                    connection.close()
                }
                if !isShared {
                    connection.loop.stop()
                }
            }
            try await waitUntil("no more than \(descriptors) descriptors and \(threads) threads") {
                try ProcessResources.descriptorCount <= descriptors && ProcessResources.threadCount <= threads + 2
            }
        }
    }
}
