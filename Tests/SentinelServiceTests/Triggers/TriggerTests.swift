// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Triggers", .serialized, .timeLimit(.minutes(5)))
    struct TriggerTests {
        private static let app = "com.example.App"
        private static let door: [Key: Value] = [
            "interface": .string("com.example.Door"), "member": .string("Opened"),
        ]

        @Test("the two that are always there are listed first, fire for every application, and stay")
        func standard() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            try await client.register(Self.app)
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            let all = try await client.sentinel.listTriggers()
            #expect(all.map(\.id) == ["notification", "method"])
            #expect(all.map(\.kind) == ["notification", "method"])
            #expect(all.allSatisfy { $0.application == "org.sentinel" })
            for entry in all {
                #expect(
                    entry.attributes == [
                        "available": .boolean(true), "fired": .uint64(0), "present": .boolean(true),
                        "lifetime": .string("application"),
                    ])
                await expectError(.notSupported) { try await client.sentinel.removeTrigger(triggerID: entry.id) }
            }
            for id in [Self.app, "", "org.sentinel"] {
                try await client.sentinel.trigger(applicationID: id, details: ["secret": .string("x")])
            }
            try await client.roundTrip()
            #expect(try fired.triggers() == ["method", "method", "method"])
            #expect(try fired.applications() == [Self.app, "org.sentinel", "org.sentinel"])
            await expectError("org.sentinel.Error.UnknownApplication") {
                try await client.sentinel.trigger(applicationID: "com.example.Nobody", details: [:])
            }
            await expectError(.invalidArgs) {
                try await client.sentinel.trigger(applicationID: "no id", details: [:])
            }
            #expect(try await client.fired("method") == 4)
            try fixture.stop()
        }

        @Test("what has fired tells its kind and its time, and is an event without anything of its cause")
        func details() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            try await client.register(Self.app)
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            let id = try await client.addTrigger(Self.app, "signal", Self.door)
            let before = Int64(Date().timeIntervalSince1970 * 1_000_000)
            client.connection.send(
                try Message.signal(from: "/door", "com.example.Door", "Opened") { (writer) throws(DBusError) in
                    try writer.write("a secret")
                })
            try await fired.wait()
            var body = try #require(fired.elements.first).body
            let signal = try Sentinel1.Triggered(from: &body)
            #expect(signal.applicationID == Self.app)
            #expect(signal.triggerID == id)
            #expect(signal.details.keys.sorted() == ["kind", "time"])
            #expect(signal.details["kind"] == .string("signal"))
            let time = try Int64(try #require(signal.details["time"]))
            #expect((before - 1_000_000...before + 60_000_000).contains(time))
            try await waitUntil("it is recorded") {
                try await client.allEvents(["type": .string("sentinel.trigger")]).count == 1
            }
            let event = try #require(try await client.allEvents(["type": .string("sentinel.trigger")]).first)
            #expect(event.source == Self.app)
            #expect(try event.data == ["trigger": .string(id), "kind": .string("signal")])
            try fixture.stop()
        }

        @Test("the method refuses what is more than ten times a second, for each application by itself")
        func rate() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            for id in [Self.app, "com.example.Other"] { try await client.register(id) }
            let outcomes = Recorder<Result<Message, DBusError>>()
            for _ in 0..<500 { try client.send("Trigger", Self.app, to: outcomes) }
            try client.send("Trigger", "com.example.Other", to: outcomes)
            let results = try await outcomes.wait(for: 501)
            let refused = results.compactMap { result -> DBusError? in
                if case .failure(let error) = result { error } else { nil }
            }
            #expect(Set(refused.map(\.code)) == [.limitsExceeded])
            // A slow machine may take more than a second for them.
            #expect(refused.count >= 400)
            #expect(results.count - refused.count >= 11)
            if case .failure(let error) = try #require(results.last) { Issue.record(error) }
            #expect(try await client.fired("method") == 501)
            try fixture.stop()
        }

        @Test("are one where they wait for the same, and do then what was said last")
        func same() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            try await client.register(Self.app)
            try await client.register("com.example.Other")
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            let id = try await client.addTrigger(Self.app, "signal", Self.door)
            let quiet = Self.door.merging(["present": .boolean(false)]) { $1 }
            #expect(try await client.addTrigger(Self.app, "signal", quiet) == id)
            #expect(try await client.trigger(id)?.attributes["present"] == .boolean(false))
            let other = try await client.addTrigger("com.example.Other", "signal", Self.door)
            #expect(other != id)
            client.connection.send(try Message.signal(from: "/", "com.example.Door", "Opened"))
            try await fired.wait(for: 2)
            try await client.roundTrip()
            #expect(try fired.triggers().sorted() == [id, other].sorted())
            try await client.sentinel.removeTrigger(triggerID: id)
            await expectError("org.sentinel.Error.UnknownTrigger") {
                try await client.sentinel.removeTrigger(triggerID: id)
            }
            #expect(try await client.addTrigger(Self.app, "signal", Self.door) == id)
            #expect(try await client.sentinel.listTriggers().map(\.id) == ["notification", "method", other, id])
            #expect(try await client.fired(id) == 0)
            try fixture.stop()
        }

        @Test("are there again after a restart, with their options, and go with their application")
        func stored() async throws {
            let bus = try PrivateBus()
            let tree = try FileTree()
            var service = try await SentinelProcess.started(on: bus, dataDirectory: tree.path("data"))
            let client = try TestClient(on: bus)
            try await client.register(Self.app)
            var ids: [String] = []
            for (kind, options) in TriggerPlanTests.whole where kind != "shortcut" {
                ids.append(try await client.addTrigger(Self.app, kind, options))
            }
            ids.append(try await client.addTrigger("", "unix-signal", ["signal": .string("SIGUSR1")]))
            let before = try await client.sentinel.listTriggers().dropFirst(2).map(\.kind)
            for ending in [SIGTERM, SIGKILL] {
                service.process.send(ending)
                _ = try service.process.waitForEnd()
                service = try await SentinelProcess.started(on: bus, dataDirectory: tree.path("data"))
                let all = try await client.sentinel.listTriggers().dropFirst(2)
                #expect(all.map(\.id) == ids)
                #expect(all.map(\.kind) == before)
            }
            let signal = try #require(try await client.trigger(ids[0]))
            #expect(signal.application == Self.app)
            #expect(signal.attributes["path"] == .objectPath("/door"))
            #expect(signal.attributes["arg0"] == .string("it's"))
            #expect(signal.attributes["present"] == .boolean(false))
            #expect(signal.attributes["lifetime"] == .string("application"))

            try await client.sentinel.forget(applicationID: Self.app, options: [:])
            #expect(try await client.sentinel.listTriggers().dropFirst(2).map(\.id) == [ids[ids.count - 1]])
            try await client.register(Self.app)
            try service.stop()
            service = try await SentinelProcess.started(on: bus, dataDirectory: tree.path("data"))
            #expect(try await client.sentinel.listTriggers().dropFirst(2).map(\.id) == [ids[ids.count - 1]])
            try service.stop()
        }

        @Test("that end with a connection are not kept, and end with the last one that wants them")
        func connection() async throws {
            let bus = try PrivateBus()
            let tree = try FileTree()
            var service = try await SentinelProcess.started(on: bus, dataDirectory: tree.path("data"))
            let client = try TestClient(on: bus)
            try await client.register(Self.app)
            let brief = Self.door.merging(["lifetime": .string("connection")]) { $1 }
            await expectError(.invalidArgs) {
                try await client.addTrigger(Self.app, "signal", Self.door.merging(["lifetime": .string("ever")]) { $1 })
            }
            let others = [try TestClient(on: bus), try TestClient(on: bus)]
            let id = try await others[0].addTrigger(Self.app, "signal", brief)
            #expect(try await others[1].addTrigger(Self.app, "signal", brief) == id)
            #expect(try await client.trigger(id)?.attributes["lifetime"] == .string("connection"))
            let (fired, subscription) = try await client.recordTriggers()
            defer { subscription.cancel() }
            client.connection.send(try Message.signal(from: "/", "com.example.Door", "Opened"))
            try await fired.wait()
            others[0].close()
            // What one client no longer wants, the other does still.
            let extra = try TestClient(on: bus)
            _ = try await extra.addTrigger(Self.app, "shake", ["lifetime": .string("connection")])
            extra.close()
            // Nor is anything left of one that does not wait for the answer.
            for _ in 0..<20 {
                let hasty = try TestClient(on: bus)
                hasty.connection.send(
                    try Message.methodCall(
                        to: TestClient.service, "/org/sentinel", Sentinel1.name, "AddTrigger"
                    ) { (writer) throws(DBusError) in
                        try writer.write(Self.app)
                        try writer.write("screenshot")
                        try writer.write(["lifetime": Value.string("connection")] as [Key: Value])
                    })
                hasty.close()
            }
            try await waitUntil("the one of the closed client is gone") {
                try await client.sentinel.listTriggers().allSatisfy { !["shake", "screenshot"].contains($0.kind) }
            }
            #expect(try await client.trigger(id) != nil)
            others[1].close()
            try await waitUntil("it ends with the last") { try await client.trigger(id) == nil }

            // One that is wanted for ever stays when the client goes, and its application's restart keeps it.
            let third = try TestClient(on: bus)
            _ = try await third.addTrigger(Self.app, "signal", brief)
            _ = try await client.addTrigger(Self.app, "signal", Self.door)
            third.close()
            let gone = try TestClient(on: bus)
            _ = try await gone.addTrigger(Self.app, "screenshot", ["lifetime": .string("connection")])
            try service.stop()
            service = try await SentinelProcess.started(on: bus, dataDirectory: tree.path("data"))
            #expect(try await client.sentinel.listTriggers().map(\.id) == ["notification", "method", id])
            try service.stop()
        }

        @Test("keep what was said last of presenting, whoever said it, and a manifest's when nobody else wants them")
        func presenting() async throws {
            let bus = try PrivateBus()
            let tree = try FileTree()
            let place = "home/sentinel/apps/\(Self.app).json"
            let quiet: [Key: Value] = ["present": .boolean(false), "lifetime": .string("connection")]
            func start() async throws -> SentinelProcess {
                try await SentinelProcess.started(
                    on: bus, dataDirectory: tree.path("data"),
                    environment: ["XDG_DATA_HOME": tree.path("home"), "XDG_DATA_DIRS": tree.path("system")])
            }
            try tree.write(place, #"{"application": {"id": "\#(Self.app)"}, "triggers": [{"kind": "shake"}]}"#)
            var service = try await start()
            let client = try TestClient(on: bus)
            func presents(_ kind: String) async throws -> Value? {
                try await client.sentinel.listTriggers().first { $0.kind == kind }?.attributes["present"]
            }
            try await waitUntil("the manifest is read") { try await presents("shake") == .boolean(true) }
            try await client.addTrigger(Self.app, "screenshot")
            let other = try TestClient(on: bus)
            for kind in ["shake", "screenshot"] {
                try await other.addTrigger(Self.app, kind, quiet)
                #expect(try await presents(kind) == .boolean(false))
            }
            other.close()
            try await waitUntil("it is the manifest's again") { try await presents("shake") == .boolean(true) }
            try service.stop()
            service = try await start()
            #expect(try await presents("screenshot") == .boolean(false))
            try service.stop()
        }

        @Test("fire once when another service takes over, and are its own then")
        func replaced() async throws {
            let bus = try PrivateBus()
            let tree = try FileTree()
            let first = try await SentinelProcess.started(on: bus, dataDirectory: tree.path("data"))
            let client = try TestClient(on: bus)
            try await client.register(Self.app)
            let id = try await client.addTrigger(Self.app, "signal", Self.door)
            let second = try await SentinelProcess.started(
                on: bus, dataDirectory: tree.path("data"), arguments: ["--replace"])
            #expect(try first.process.waitForEnd() == .exited(0))
            let recorder = Recorder<Message>()
            // Whoever sends it.
            let subscription = client.connection.subscribe(
                to: MatchRule(interface: Sentinel1.name, member: Sentinel1.Triggered.member)
            ) { recorder.append($0) }
            defer { subscription.cancel() }
            try await client.roundTrip()
            client.connection.send(try Message.signal(from: "/", "com.example.Door", "Opened"))
            try await waitUntil("it is counted") { try await client.fired(id) == 1 }
            #expect(try recorder.triggers() == [id])
            try second.stop()
        }

        @Test("are at most 64 an application, or what limits.json says")
        func limit() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            try await client.register(Self.app)
            for number in 0..<64 {
                try await client.addTrigger(Self.app, "file", ["path": .string("/nowhere/\(number)")])
            }
            await expectError(.limitsExceeded) { try await client.addTrigger(Self.app, "shake") }
            let brief: [Key: Value] = ["lifetime": .string("connection")]
            await expectError(.limitsExceeded) { try await client.addTrigger(Self.app, "shake", brief) }
            // One that is there already is no more.
            let id = try await client.addTrigger(Self.app, "file", ["path": .string("/nowhere/5")])
            try await client.addTrigger("", "shake")
            try await client.sentinel.removeTrigger(triggerID: id)
            try await client.addTrigger(Self.app, "shake")
            #expect(try await client.sentinel.listTriggers().count == 2 + 64 + 1)
            await expectError("org.sentinel.Error.UnknownApplication") {
                try await client.addTrigger("com.example.Nobody", "shake")
            }
            try fixture.stop()
        }

        @Test("that a manifest declares come and go with it")
        func manifest() async throws {
            let place = "home/sentinel/apps/\(Self.app).json"
            let head = #"{"application": {"id": "\#(Self.app)"}, "triggers": ["#
            let fixture = try await FactsFixture { tree, _ in
                try tree.write(
                    place,
                    head + #"{"kind": "session", "options": {"event": "lock", "sort": 1}}, {"kind": "screenshot"}]}"#)
            }
            let client = fixture.client
            func kinds() async throws -> [String] {
                try await client.sentinel.listTriggers().filter { $0.application == Self.app }.map(\.kind)
            }
            try await waitUntil("they are there") { try await kinds() == ["session", "screenshot"] }
            let details = try await client.sentinel.healthDetails()["manifests"].map { try [String]($0) } ?? []
            #expect(details.contains { $0.hasSuffix("triggers[0].options.sort: nothing of this name is known") })

            // What somebody adds who waits for the same stays when the manifest goes.
            try await client.addTrigger(Self.app, "screenshot")
            try fixture.tree.write(place, head + #"{"kind": "file", "options": {"path": "~/a"}}]}"#)
            try await waitUntil("the other is there") { try await kinds() == ["screenshot", "file"] }
            try fixture.tree.write(place, head + #"{"kind": "file", "options": {"path": "a"}}]}"#)
            try await waitUntil("the fault is told") {
                try await client.sentinel.healthDetails()["manifests"].map { try [String]($0) }?
                    .contains { $0.contains("triggers[0]: option path") } == true
            }
            #expect(try await kinds() == ["screenshot", "file"])
            try FileManager.default.removeItem(atPath: fixture.tree.path(place))
            try await waitUntil("the rest is left") { try await kinds() == ["screenshot"] }
            try fixture.stop()
        }

        @Test("are described")
        func described() async throws {
            let fixture = try await ServiceFixture()
            let client = fixture.client
            try await client.register(Self.app)
            let id = try await client.addTrigger(Self.app, "signal", Self.door)
            let document = try await client.sentinel.describe(options: [:])
            let root = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
            let applications = try #require(root["applications"] as? [[String: Any]])
            let triggers = try #require(
                applications.first { $0["id"] as? String == Self.app }?["triggers"] as? [[String: Any]])
            #expect(triggers.count == 1)
            #expect(triggers[0]["id"] as? String == id)
            #expect((triggers[0]["options"] as? [String: Any])?["interface"] as? String == "com.example.Door")
            try fixture.stop()
        }
    }
}
