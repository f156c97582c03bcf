// SPDX-License-Identifier: MIT

@testable import DBus
import Dispatch
import Testing
import TestSupport

extension LiveTests {
    @Suite("Signals", .timeLimit(.minutes(5)))
    struct SignalTests {
        let fixture: BusFixture

        init() throws {
            fixture = try BusFixture()
        }

        private func numbers(_ messages: [Message]) throws -> [UInt32] {
            try messages.map { message in
                var body = message.body
                return try body.read()
            }
        }

        private func emit(_ numbers: Range<UInt32>, _ member: MemberName = "Changed") throws {
            for number in numbers {
                try fixture.emit(member) { (writer) throws(DBusError) in try writer.write(number) }
            }
        }

        @Test("signals come in the order in which they were sent, to each who wants them")
        func order() async throws {
            let first = Recorder<Message>()
            let second = Recorder<Message>()
            let subscriptions = [
                fixture.client.subscribe(to: MatchRule(interface: TestInterface.name)) { first.append($0) },
                fixture.client.subscribe(to: MatchRule(member: "Changed")) { second.append($0) },
            ]
            try await fixture.settle()
            try emit(0..<500)
            #expect(try numbers(try await first.wait(for: 500)) == Array(0..<500))
            #expect(try numbers(try await second.wait(for: 500)) == Array(0..<500))
            subscriptions.forEach { $0.cancel() }
        }

        @Test("a signal that fits two rules comes once to each subscription")
        func overlapping() async throws {
            let received = Recorder<Int>()
            let subscriptions = [MatchRule(), MatchRule(member: "Changed"), MatchRule(member: "Changed")]
                .enumerated().map { number, rule in
                    fixture.client.subscribe(to: rule) { signal in
                        if signal.member == "Changed" {
                            received.append(number)
                        }
                    }
                }
            try await fixture.settle()
            try emit(0..<1)
            try await fixture.settle()
            #expect(received.elements == [0, 1, 2])
            subscriptions.forEach { $0.cancel() }
        }

        @Test("a signal to one receiver reaches it alone")
        func unicast() async throws {
            let other = try BusFixture.connect(to: fixture.bus)
            let received = Recorder<String>()
            let subscriptions = [(fixture.client, "client"), (other, "other")].map { connection, name in
                connection.subscribe(to: MatchRule(member: "Changed")) { _ in received.append(name) }
            }
            try await fixture.settle()
            try await other.ping()
            try fixture.emit(to: fixture.client.uniqueName)
            try await fixture.settle()
            try await other.ping()
            #expect(received.elements == ["client"])
            subscriptions.forEach { $0.cancel() }
            other.close()
            other.loop.stop()
        }

        @Test("after cancelling on the loop's thread nothing comes, not even what is being handed out")
        func cancelledBySibling() async throws {
            let received = Recorder<Int>()
            let subscriptions = Recorder<Subscription>()
            for number in 0..<3 {
                subscriptions.append(
                    fixture.client.subscribe(to: MatchRule(member: "Changed")) { _ in
                        received.append(number)
                        subscriptions.elements.forEach { $0.cancel() }
                    })
            }
            try await fixture.settle()
            try emit(0..<3)
            try await fixture.settle()
            #expect(received.elements == [0])
            #expect(try await fixture.client.ruleCountOfBus() == 0)
        }

        @Test("a subscription that is cancelled on the loop before it begins leaves nothing")
        func cancelledFirst() async throws {
            let client = fixture.client
            await client.perform { client in
                let made = DispatchSemaphore(value: 0)
                let subscriptions = Recorder<Subscription>()
                DispatchQueue.global().async {
                    subscriptions.append(client.subscribe(to: MatchRule(member: "Changed")) { _ in })
                    made.signal()
                }
                made.wait()
                subscriptions.elements[0].cancel()
            }
            try await fixture.settle()
            #expect(await client.perform { client in client.withRouter { $0.ruleCount } } == 0)
            #expect(try await client.ruleCountOfBus() == 0)
        }

        @Test("2 100 subscriptions one after the other leave the number of rules as it was")
        func ruleCount() async throws {
            for number in 0..<2_100 {
                let rule = MatchRule(sender: "org.sentinel.Test", member: "Changed", argument0: "it's \(number)")
                fixture.client.subscribe(to: rule) { _ in }.cancel()
            }
            try await fixture.settle()
            #expect(try await fixture.client.ruleCountOfBus() == 0)
            #expect(await fixture.client.perform { client in client.withRouter { $0.ruleCount } } == 0)
            #expect(await fixture.client.perform { client in client.withRouter { $0.ownerCount } } == 0)
        }

        @Test("a thousand equal subscriptions are one rule")
        func sharedRule() async throws {
            let received = Recorder<Void>()
            let subscriptions = (0..<1_000).map { _ in
                fixture.client.subscribe(to: MatchRule(member: "Changed")) { _ in received.append(()) }
            }
            try await fixture.settle()
            #expect(try await fixture.client.ruleCountOfBus() == 1)
            try emit(0..<1)
            try await fixture.settle()
            #expect(received.count == 1_000)
            subscriptions.dropLast().forEach { $0.cancel() }
            try emit(0..<1)
            try await fixture.settle()
            #expect(received.count == 1_001)
            subscriptions.last?.cancel()
            try await fixture.settle()
            #expect(try await fixture.client.ruleCountOfBus() == 0)
        }

        @Test("arguments with apostrophes, commas and backslashes reach the bus as they are")
        func quoting() async throws {
            for argument in ["it's", "'", "''", "a,b", "\\", "\\'", "'\\''", "é", ""] {
                let received = Recorder<String>()
                let subscription = fixture.client.subscribe(
                    to: MatchRule(member: "Changed", argument0: argument), ended: { received.append("\($0)") }
                ) { _ in received.append(argument) }
                try await fixture.settle()
                for text in [argument, "other"] {
                    try fixture.emit { (writer) throws(DBusError) in try writer.write(text) }
                }
                try await fixture.settle()
                #expect(received.elements == [argument])
                subscription.cancel()
            }
        }

        @Test("a rule that the bus refuses ends all its subscriptions")
        func refused() async throws {
            let ended = Recorder<ErrorName>()
            // The bus allows an argument of so many bytes in no rule.
            let rule = MatchRule(argument0: String(repeating: "x", count: 1 << 20))
            let subscriptions = (0..<2).map { _ in
                fixture.client.subscribe(to: rule, ended: { ended.append($0.code) }) { _ in }
            }
            #expect(try await ended.wait(for: 2).count == 2)
            #expect(await fixture.client.perform { client in client.withRouter { $0.ruleCount } } == 0)
            subscriptions.forEach { $0.cancel() }
        }

        // MARK: Senders

        @Test("a rule with a well-known sender follows its owner")
        func followsOwner() async throws {
            let name: BusName = "org.sentinel.Followed"
            let received = Recorder<BusName?>()
            let subscription = fixture.client.subscribe(to: MatchRule(sender: name, member: "Changed")) {
                received.append($0.sender)
            }
            // The same signals come by another rule: the first must not take those of others.
            let other = fixture.client.subscribe(to: MatchRule(member: "Changed")) { _ in }
            let second = try BusFixture.connect(to: fixture.bus)
            try await fixture.settle()
            try fixture.emit()
            try await fixture.settle()
            #expect(received.elements.isEmpty)

            #expect(try await fixture.service.own(name) == .primaryOwner)
            try fixture.emit()
            second.send(try Message.signal(from: "/", TestInterface.name, "Changed"))
            try await second.ping()
            try await fixture.settle()
            #expect(received.elements == [fixture.service.uniqueName])

            await fixture.service.disown(name)
            #expect(try await second.own(name) == .primaryOwner)
            try fixture.emit()
            second.send(try Message.signal(from: "/", TestInterface.name, "Changed"))
            try await second.ping()
            try await fixture.settle()
            #expect(received.elements == [fixture.service.uniqueName, second.uniqueName])
            subscription.cancel()
            other.cancel()
            second.close()
            second.loop.stop()
        }

        @Test("only the bus tells who owns a name")
        func forgedOwner() async throws {
            let name: BusName = "org.sentinel.Followed"
            let owners = Recorder<BusName?>()
            let signals = Recorder<Void>()
            let watch = fixture.client.watchOwner(of: name) { owners.append($0) }
            let lost = fixture.client.onNameLost(name) { signals.append(()) }
            let subscription = fixture.client.subscribe(to: MatchRule(sender: name)) { _ in signals.append(()) }
            try await owners.wait()
            for destination in [nil, fixture.client.uniqueName] {
                fixture.service.send(
                    try Message.signal(
                        from: "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", to: destination
                    ) { [fixture] (writer) throws(DBusError) in
                        try writer.write(name.text)
                        try writer.write("")
                        try writer.write(fixture.service.uniqueName.text)
                    })
                fixture.service.send(
                    try Message.signal(
                        from: "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameLost", to: destination
                    ) { (writer) throws(DBusError) in try writer.write(name.text) })
            }
            try fixture.emit()
            try fixture.emit(to: fixture.client.uniqueName)
            try await fixture.settle()
            #expect(owners.elements == [nil])
            #expect(signals.count == 0)
            [watch, lost, subscription].forEach { $0.cancel() }
        }

        @Test("a sender that is gone at once, or has no name, is heard")
        func shortLived() async throws {
            let received = Recorder<Message>()
            let subscription = fixture.client.subscribe(to: MatchRule(member: "Changed")) { received.append($0) }
            try await fixture.settle()
            for _ in 0..<5 {
                let result = try await Command.run(
                    ["gdbus", "emit", "--session", "-o", "/a", "-s", "org.sentinel.Test1.Changed"],
                    environment: fixture.bus.environment)
                #expect(result.status == 0)
            }
            try await received.wait(for: 5)
            subscription.cancel()
        }

        // MARK: Streams

        @Test("a stream brings signals in order, and marks what a slow consumer has missed")
        func stream() async throws {
            let stream = fixture.client.signals(matching: MatchRule(member: "Changed"), capacity: 10)
            try await fixture.settle()
            try emit(0..<25)
            try await fixture.settle()
            var iterator = stream.makeAsyncIterator()
            for number in 0..<10 as Range<UInt32> {
                guard case .signal(let signal)? = try await iterator.next() else {
                    Issue.record("no signal")
                    return
                }
                #expect(try numbers([signal]) == [number])
            }
            guard case .overflow(15)? = try await iterator.next() else {
                Issue.record("no mark for the 15 that were dropped")
                return
            }
            try emit(25..<26)
            guard case .signal(let next)? = try await iterator.next() else {
                Issue.record("no signal after the gap")
                return
            }
            #expect(try numbers([next]) == [25])
        }

        @Test("a stream waits for the next signal, and ends when its task is cancelled")
        func streamEnds() async throws {
            let client = fixture.client
            let received = Recorder<Void>()
            let task = Task {
                for try await _ in client.signals(matching: MatchRule(member: "Changed")) {
                    received.append(())
                }
            }
            try await waitUntil("the rule is there") { try await client.ruleCountOfBus() == 1 }
            try emit(0..<1)
            try await received.wait()
            task.cancel()
            try await task.value
            try await waitUntil("the rule is gone") { try await client.ruleCountOfBus() == 0 }
        }

        @Test("a stream throws when the connection ends, after what had come before")
        func streamThrows() async throws {
            let stream = fixture.client.signals(matching: MatchRule(member: "Changed"))
            try await fixture.settle()
            try emit(0..<2)
            try await fixture.settle()
            fixture.client.close()
            var count = 0
            let failure = await #expect(throws: DBusError.self) {
                for try await _ in stream {
                    count += 1
                }
            }
            #expect(count == 2)
            #expect(failure?.code == .disconnected)
        }

        @Test("a stream on a loop that has been stopped throws at once")
        func streamOnStoppedLoop() async throws {
            let connection = try BusFixture.connect(to: fixture.bus)
            connection.loop.stop()
            var iterator = connection.signals(matching: MatchRule()).makeAsyncIterator()
            let failure = await #expect(throws: DBusError.self) { try await iterator.next() }
            #expect(failure?.code == .disconnected)
        }
    }
}
