// SPDX-License-Identifier: MIT

@testable import DBus
import Testing
import TestSupport

extension LiveTests {
    @Suite("Calls to exported objects", .timeLimit(.minutes(5)))
    struct MethodCallTests {
        let fixture: BusFixture

        init() throws {
            fixture = try BusFixture()
        }

        @Test("values of all kinds come back as they were")
        func echo() async throws {
            for (value, _) in try ValueTests.samples() {
                var body = try await fixture.call("Echo") { (writer) throws(DBusError) in try writer.write(value) }.body
                #expect(try body.read(Value.self) == value)
            }
        }

        @Test("a completion gets the reply once, on the loop's thread")
        func completion() async throws {
            let outcomes = Recorder<Bool>()
            fixture.client.call(try fixture.message("AnswerTwice")) { result in
                if case .success = result {
                    outcomes.append(fixture.client.loop.isCurrent)
                }
            }
            try await outcomes.wait()
            try await fixture.settle()
            #expect(outcomes.elements == [true])
        }

        @Test("a call without an interface finds the only method that fits")
        func withoutInterface() async throws {
            var body = try await fixture.call("AnswerTwice", interface: nil).body
            #expect(try body.read(String.self) == "first")
            _ = try await fixture.call("Ping", interface: nil)
        }

        @Test("a call without an interface that fits two is refused with their names")
        func ambiguous() async throws {
            await fixture.service.perform { connection in
                connection.objects.export(
                    ExportedObject([TestInterface(), TestInterface(name: "org.sentinel.Test2")]), at: "/two")
            }
            let refusal = try await fixture.refusal("Drop", interface: nil, at: "/two")
            #expect(refusal.code == .unknownMethod)
            #expect(refusal.message.contains("org.sentinel.Test1, org.sentinel.Test2"))
        }

        @Test("arguments of another type are refused with the signature expected and the one that came")
        func wrongSignature() async throws {
            let refusal = try await fixture.refusal("Pair") { (writer) throws(DBusError) in try writer.write("x") }
            #expect(refusal.code == .invalidArgs)
            #expect(refusal.message.contains("(sa{sv})"))
            #expect(refusal.message.contains("(s)"))
            #expect(fixture.interface.called.elements.isEmpty)
        }

        @Test("an empty list in a reply has the type that was declared")
        func emptyList() async throws {
            let reply = try await fixture.call("Pair") { (writer) throws(DBusError) in
                try writer.write("")
                try writer.write([Key: Value]())
            }
            #expect(reply.signature == "as")
        }

        @Test("what is not there is named: object, interface, method")
        func unknown() async throws {
            #expect(try await fixture.refusal("Drop", at: "/nowhere").code == .unknownObject)
            #expect(try await fixture.refusal("Drop", interface: "a.b").code == .unknownInterface)
            #expect(try await fixture.refusal("Nothing").code == .unknownMethod)
            #expect(try await fixture.refusal("Nothing", interface: nil).code == .unknownMethod)
            #expect(try await fixture.refusal("Nothing", interface: nil, at: "/nowhere").code == .unknownMethod)
        }

        @Test("a call that is dropped is answered with an error")
        func dropped() async throws {
            let refusal = try await fixture.refusal("Drop")
            #expect(refusal.code == .failed)
            #expect(refusal.message.contains("without an answer"))
        }

        @Test("a second answer is ignored")
        func answeredTwice() async throws {
            let peer = try RawPeer(connectingTo: fixture.bus)
            peer.send(try fixture.message("AnswerTwice"), serial: 10)
            peer.send(try fixture.message("Ping", interface: "org.freedesktop.DBus.Peer"), serial: 11)
            let replies = try peer.receive { $0.replySerial == 11 }.filter { $0.replySerial == 10 }
            #expect(replies.count == 1)
            #expect(replies.first?.kind == .methodReturn)
        }

        @Test(
            "a call that wants no reply gets none",
            arguments: ["AnswerTwice", "Drop", "Nothing", "AnswerBadly"] as [MemberName])
        func noReply(_ member: MemberName) async throws {
            let peer = try RawPeer(connectingTo: fixture.bus)
            peer.send(try fixture.message(member, wantsReply: false), serial: 10)
            peer.send(try fixture.message("Ping", interface: "org.freedesktop.DBus.Peer"), serial: 11)
            #expect(try peer.receive { $0.replySerial == 11 }.filter { $0.replySerial == 10 }.isEmpty)
        }

        @Test("an error of a method travels with its name and text")
        func failure() async throws {
            let refusal = try await fixture.refusal("Fail") { (writer) throws(DBusError) in try writer.write("no é") }
            #expect(refusal.code == .accessDenied)
            #expect(refusal.message == "no é")
        }

        @Test("an answer that cannot travel becomes an error")
        func badAnswer() async throws {
            let refusal = try await fixture.refusal("AnswerBadly")
            #expect(refusal.code == .invalidArgs)
            #expect(refusal.message.contains("NUL"))
        }

        @Test("a thousand calls at once are each answered with their own, also from other threads")
        func manyCalls() async throws {
            try await withThrowingTaskGroup { group in
                for number in 0..<1_000 as Range<UInt32> {
                    group.addTask {
                        var body = try await fixture.call("AnswerElsewhere") { (writer) throws(DBusError) in
                            try writer.write(number)
                        }.body
                        #expect(try body.read(UInt32.self) == number)
                    }
                }
                try await group.waitForAll()
            }
            #expect(await fixture.client.perform { $0.pendingCallCount } == 0)
        }

        @Test("a large answer comes whole", arguments: [1 << 20, 16 << 20] as [UInt32])
        func largeAnswer(_ size: UInt32) async throws {
            var body = try await fixture.call("Fill") { (writer) throws(DBusError) in try writer.write(size) }.body
            #expect(try body.read([UInt8].self).count == Int(size))
        }

        @Test("ready-made clients get their answers", arguments: 0..<3)
        func foreignClients(_ client: Int) async throws {
            let name = fixture.service.uniqueName.text
            let path = BusFixture.path.text
            let command =
                switch client {
                case 0: ["busctl", "--user", "call", name, path, "org.sentinel.Test1", "Echo", "v", "s", "word"]
                case 1:
                    ["gdbus", "call", "--session", "-d", name, "-o", path, "-m", "org.sentinel.Test1.Echo", "<'word'>"]
                default:
                    [
                        "dbus-send", "--session", "--print-reply", "--dest=\(name)", path, "org.sentinel.Test1.Echo",
                        "variant:string:word",
                    ]
                }
            let result = try await Command.run(command, environment: fixture.bus.environment)
            #expect(result.status == 0)
            #expect(result.output.contains("word"))
        }

        @Test("a gate decides on calls and properties, not on what tells nothing")
        func gate() async throws {
            let waiting = Recorder<@Sendable () -> Void>()
            await fixture.service.perform { connection in
                connection.objects.gate = { call, _, proceed in
                    if call.message.member == "AnswerTwice" {
                        nonisolated(unsafe) let proceed = proceed
                        waiting.append { proceed() }
                    } else {
                        call.fail(DBusError(.accessDenied, "closed"))
                    }
                }
            }
            #expect(try await fixture.refusal("Drop").code == .accessDenied)
            let properties: InterfaceName = "org.freedesktop.DBus.Properties"
            let get = try await fixture.refusal("GetAll", interface: properties) { (writer) throws(DBusError) in
                try writer.write("")
            }
            #expect(get.code == .accessDenied)
            _ = try await fixture.call("Ping", interface: "org.freedesktop.DBus.Peer")
            _ = try await fixture.call("Introspect", interface: "org.freedesktop.DBus.Introspectable")
            async let answer = fixture.call("AnswerTwice")
            try await waiting.wait()
            waiting.takeAll().forEach { fixture.service.loop.enqueue($0) }
            #expect(try await answer.signature == "s")
        }
    }
}
