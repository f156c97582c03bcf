// SPDX-License-Identifier: MIT

@testable import DBus
import Dispatch
import Foundation
import Testing
import TestSupport

extension LiveTests {
    /// Peers and buses that do what they should not.
    @Suite("Hostile peers", .timeLimit(.minutes(5)))
    struct HostilePeerTests {
        let fixture: BusFixture

        init() throws {
            fixture = try BusFixture()
        }

        private func isAlive() async throws -> Bool {
            try await fixture.call("AnswerTwice").signature == "s"
        }

        @Test("a peer that breaks the protocol is cut off by the bus, the service lives on", arguments: 0..<4)
        func brokenMessages(_ kind: Int) async throws {
            let peer = try RawPeer(connectingTo: fixture.bus)
            let call = try fixture.message("Echo") { (writer) throws(DBusError) in try writer.write(Value.byte(1)) }
            var bytes = try Wire.bytes(of: call, serial: 5)
            switch kind {
            case 0:
                // The body: a variant 10 000 deep.
                let layer: [UInt8] = [1, UInt8(ascii: "v"), 0]
                let body = repeatElement(layer, count: 10_000).joined() + [1, UInt8(ascii: "y"), 0, 1]
                bytes.removeLast(4)
                bytes += body
                withUnsafeBytes(of: UInt32(body.count).littleEndian) { bytes.replaceSubrange(4..<8, with: $0) }
            case 1:
                bytes[3] = 9
            case 2:
                bytes[8..<12] = [0, 0, 0, 0]
            default:
                bytes = [UInt8](repeating: 0xff, count: 4_096)
            }
            peer.send(bytes: bytes)
            #expect(peer.isCutOff())
            #expect(try await isAlive())
        }

        @Test("a bus that breaks the protocol ends the connection, not the process", arguments: 0..<3)
        func brokenBus(_ kind: Int) async throws {
            let bus = try RawBus()
            let (connection, peer) = try await bus.connect()
            defer { connection.loop.stop() }
            let ends = Recorder<ErrorName>()
            connection.onEnd { ends.append($0.code) }
            switch kind {
            case 0: peer.send(bytes: [UInt8](repeating: 0xff, count: 64))
            case 1:
                var bytes = try Wire.bytes(of: try fixture.message("Drop"), serial: 5)
                bytes[8..<12] = [0, 0, 0, 0]
                peer.send(bytes: bytes)
            default:
                // A message of the connection's own, which must not come from outside.
                var bytes = try Wire.bytes(
                    of: Message.signal(
                        from: "/org/freedesktop/DBus/Lokal", "org.freedesktop.DBus.Lokal", "Disconnected"))
                while let range = bytes.firstRange(of: Array("Lokal".utf8)) {
                    bytes.replaceSubrange(range, with: Array("Local".utf8))
                }
                peer.send(bytes: bytes)
            }
            #expect(try await ends.wait() == [.disconnected])
        }

        @Test("a message of a kind that is not known yet is passed over")
        func unknownKind() async throws {
            let bus = try RawBus()
            let (connection, peer) = try await bus.connect()
            defer { connection.loop.stop() }
            var bytes = try Wire.bytes(of: try fixture.message("Drop"), serial: 5)
            bytes[1] = 9
            peer.send(bytes: bytes)
            peer.send(
                try Message.methodCall(to: ":1.1", "/", "org.freedesktop.DBus.Peer", "Ping"), serial: 6)
            #expect(try peer.receive { $0.replySerial == 6 }.count == 1)
        }

        @Test("replies that nobody waits for are dropped")
        func strayReplies() async throws {
            let peer = try RawPeer(connectingTo: fixture.bus)
            for serial in 1...500 as ClosedRange<UInt32> {
                peer.send(bytes: try Wire.reply(to: fixture.service.uniqueName, serial: serial))
            }
            peer.send(try fixture.message("AnswerTwice"), serial: 600)
            _ = try peer.receive { $0.replySerial == 600 }
            #expect(await fixture.service.perform { $0.pendingCallCount } == 0)
        }

        @Test("a caller that asks without end and takes no answer does not fill the memory")
        func slowBus() async throws {
            let bus = try RawBus()
            let (connection, peer) = try await bus.connect()
            let interface = TestInterface()
            await connection.perform { $0.objects.export(ExportedObject([interface]), at: BusFixture.path) }
            // 4 000 calls that each ask for 1 MiB: 4 GB.
            let call = try Wire.bytes(
                of: fixture.message("Fill") { (writer) throws(DBusError) in try writer.write(UInt32(1 << 20)) },
                serial: 7)
            let before = try ProcessResources.residentBytes
            let flood = Array(repeatElement(call, count: 4_000).joined())
            let socket = Recorder<Void>()
            DispatchQueue.global().async {
                peer.send(bytes: flood)
                socket.append(())
            }
            try await waitUntil("the service stops reading") {
                let count = interface.called.count
                try await Task.sleep(for: .milliseconds(300))
                return count > 0 && interface.called.count == count
            }
            #expect(interface.called.count < 200)
            #expect(try ProcessResources.residentBytes - before < 300 << 20)
            // The loop still does other things, and closing does not take long.
            _ = await connection.perform { _ in }
            connection.close()
            connection.loop.stop()
            try await socket.wait()
        }

        @Test("calls that are held do not keep the replies to the service's own calls from coming")
        func heldCalls() async throws {
            // A gate that asks the bus about each caller, as services do, while more waits than libdbus likes to hold.
            await fixture.service.perform { connection in
                connection.objects.gate = { [weak connection] call, _, proceed in
                    nonisolated(unsafe) let proceed = proceed
                    connection?.credentials(of: call.sender ?? .bus) { _ in proceed() }
                }
            }
            let outcomes = Recorder<ErrorName?>()
            let payload = [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0..<150 {
                let call = try fixture.message("Hold") { (writer) throws(DBusError) in try writer.write(payload) }
                fixture.client.call(call, timeout: patience) { outcomes.append($0.error?.code) }
            }
            try await waitUntil("all calls are answered") {
                for held in fixture.interface.held.takeAll() {
                    held.answer { _ in }
                }
                return outcomes.count == 150
            }
            #expect(outcomes.elements.allSatisfy { $0 == nil || $0 == .limitsExceeded })
            #expect(outcomes.elements.contains(nil))
            #expect(try await isAlive())
        }

        @Test("a slow consumer of large signals does not stop the connection")
        func largeSignals() async throws {
            let stream = fixture.client.signals(matching: MatchRule(member: "Changed"), capacity: 1_000)
            try await fixture.settle()
            let payload = [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0..<150 {
                try fixture.emit { (writer) throws(DBusError) in try writer.write(payload) }
            }
            let ping = try Message.methodCall(to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping")
            _ = try await fixture.client.call(ping, timeout: patience)
            try await fixture.settle()
            var iterator = stream.makeAsyncIterator()
            var kept = 0
            while case .signal? = try await iterator.next() {
                kept += 1
            }
            #expect(kept == 15)
        }

        @Test("a flood of signals from one peer does not keep another's calls from being answered")
        func signalFlood() async throws {
            let subscription = fixture.service.subscribe(to: MatchRule(member: "Noise")) { _ in }
            try await fixture.settle()
            let flooder = try BusFixture.connect(to: fixture.bus)
            let signal = try Message.signal(from: "/", "a.b", "Noise")
            let isOver = Recorder<Void>()
            DispatchQueue.global().async {
                for _ in 0..<50_000 {
                    flooder.send(signal)
                }
                isOver.append(())
            }
            repeat {
                _ = try await fixture.call("AnswerTwice")
            } while isOver.count == 0
            subscription.cancel()
            flooder.close()
            flooder.loop.stop()
        }

        // MARK: Descriptors

        @Test("descriptors travel over the bus and leave none behind")
        func descriptors() async throws {
            let directory = try TemporaryDirectory()
            let path = directory.path(of: "file")
            try "contents".write(toFile: path, atomically: true, encoding: .utf8)
            let descriptor = FileDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
            func roundTrip() async throws -> FileDescriptor {
                var body = try await fixture.call("Duplicate") { (writer) throws(DBusError) in
                    try writer.write(descriptor)
                }.body
                return try body.read()
            }
            let received = try await roundTrip()
            #expect(received != descriptor)
            #expect(received.rawValue != descriptor.rawValue)
            #expect(fcntl(received.rawValue, F_GETFD) & FD_CLOEXEC != 0)
            var buffer = [UInt8](repeating: 0, count: 8)
            #expect(pread(received.rawValue, &buffer, 8, 0) == 8)
            #expect(buffer == Array("contents".utf8))
            try await fixture.settle()
            let before = try ProcessResources.descriptorCount
            for _ in 0..<1_000 {
                _ = try await roundTrip()
            }
            try await waitUntil("no more descriptors than before") {
                try ProcessResources.descriptorCount <= before
            }
        }

        @Test("calls that are held do not take all descriptors of the process, nor keep others from being answered")
        func heldDescriptors() async throws {
            let interface = fixture.interface
            await fixture.service.perform { connection in
                connection.objects.gate = { call, _, proceed in
                    if call.message.member == "Duplicate" {
                        interface.held.append(call)
                    } else {
                        proceed()
                    }
                }
            }
            let outcomes = Recorder<ErrorName?>()
            let total = CallLoad.descriptorCallLimit + 20
            for _ in 0..<total {
                let call = try fixture.message("Duplicate") { (writer) throws(DBusError) in
                    try writer.write(try FileDescriptor(duplicating: 0))
                }
                fixture.client.call(call) { outcomes.append($0.error?.code) }
            }
            #expect(try await outcomes.wait(for: 20).allSatisfy { $0 == .limitsExceeded })
            #expect(try await isAlive())
            #expect(outcomes.count == 20)

            for held in interface.held.takeAll() {
                held.answer { _ in }
            }
            try await outcomes.wait(for: total)
            #expect(outcomes.elements.count { $0 == nil } == CallLoad.descriptorCallLimit)
            // What has been let go of makes room, once its descriptors are closed.
            await fixture.service.perform { $0.objects.gate = nil }
            try await waitUntil("there is room") {
                do {
                    _ = try await fixture.call("Duplicate") { (writer) throws(DBusError) in
                        try writer.write(try FileDescriptor(duplicating: 0))
                    }
                    return true
                } catch let error as DBusError where error.code == .limitsExceeded {
                    return false
                }
            }
        }

        @Test("descriptors that come unasked are closed")
        func unaskedDescriptors() async throws {
            try await fixture.settle()
            let before = try ProcessResources.descriptorCount
            for _ in 0..<200 {
                let refusal = try await fixture.refusal("Fail") { (writer) throws(DBusError) in
                    for _ in 0..<10 {
                        try writer.write(try FileDescriptor(duplicating: 0))
                    }
                }
                #expect(refusal.code == .invalidArgs)
            }
            try await waitUntil("no more descriptors than before") {
                try ProcessResources.descriptorCount <= before
            }
        }
    }
}
