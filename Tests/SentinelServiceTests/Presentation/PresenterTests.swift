// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Clients that present", .serialized, .timeLimit(.minutes(5)))
    struct PresenterTests {
        private static let asPresenter: [Key: Value] = ["presenter": .boolean(true)]

        @Test("present until they dismiss, and what changes nothing is told to nobody")
        func presents() async throws {
            let stage = try await PresentationStage()
            let sentinel = stage.sentinel
            try await sentinel.dismiss(applicationID: PresentationStage.id, options: [:])
            try await stage.expectPresented(false, after: [])
            try await sentinel.show(applicationID: PresentationStage.id, options: Self.asPresenter)
            try await stage.expectPresented(true, after: ["Presented"])
            // The same again, and a wish for a screen: the client knows best.
            try await sentinel.show(applicationID: PresentationStage.id, options: Self.asPresenter)
            try await sentinel.show(applicationID: PresentationStage.id, options: ["screen": .string("tools")])
            try await stage.expectPresented(true, after: ["Presented"])
            try await sentinel.dismiss(applicationID: PresentationStage.id, options: ["screen": .string("tools")])
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            try stage.stop()
        }

        @Test("present no longer than they are on the bus, and only the bus can tell that they have left")
        func leaves() async throws {
            let stage = try await PresentationStage()
            let presenter = try TestClient(on: stage.bus)
            try await presenter.sentinel.show(applicationID: PresentationStage.id, options: Self.asPresenter)
            let service = try BusName(try await stage.client.nameOfService())
            for destination in [nil, service] {
                stage.client.connection.send(
                    try Message.signal(
                        from: "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", to: destination
                    ) { (writer) throws(DBusError) in
                        try writer.write(presenter.name)
                        try writer.write(presenter.name)
                        try writer.write("")
                    })
            }
            try await stage.client.roundTrip()
            try await stage.expectPresented(true, after: ["Presented"])
            presenter.close()
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            try stage.stop()
        }

        @Test("take over from each other, and the one before has no say then")
        func takeOver() async throws {
            let stage = try await PresentationStage()
            let first = try TestClient(on: stage.bus)
            try await first.sentinel.show(applicationID: PresentationStage.id, options: Self.asPresenter)
            try await stage.sentinel.show(applicationID: PresentationStage.id, options: Self.asPresenter)
            first.close()
            try await waitUntil("the first has left") {
                try await withCheckedContinuation { continuation in
                    stage.client.connection.owner(of: first.connection.uniqueName) {
                        continuation.resume(returning: $0)
                    }
                }.get() == nil
            }
            try await stage.expectPresented(true, after: ["Presented"])
            try await stage.sentinel.dismiss(applicationID: PresentationStage.id, options: [:])
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            try stage.stop()
        }

        @Test("toggle, and present several applications at a time, of which the list is sorted")
        func several() async throws {
            let stage = try await PresentationStage()
            let ids = ["org.example.B", "com.example.Z", "com.example.a"]
            for id in ids {
                try await stage.client.register(id)
            }
            for id in ids + [""] {
                try await stage.sentinel.toggle(applicationID: id, options: Self.asPresenter)
            }
            #expect(
                try await stage.sentinel.presentedApplications() == [
                    "com.example.Z", "com.example.a", "org.example.B", "org.sentinel",
                ])
            for id in ids {
                try await stage.sentinel.toggle(applicationID: id, options: Self.asPresenter)
            }
            #expect(try await stage.sentinel.presentedApplications() == ["org.sentinel"])
            try await stage.expectTold(
                ids.map { "Presented \($0)" } + ["Presented org.sentinel"] + ids.map { "Dismissed \($0)" })
            try stage.stop()
        }

        @Test("cannot present what is not known or malformed, and without one there may be nothing to present with")
        func refused() async throws {
            let stage = try await PresentationStage()
            let calls: [(Sentinel1Proxy, String, [Key: Value]) async throws -> Void] = [
                { try await $0.show(applicationID: $1, options: $2) },
                { try await $0.dismiss(applicationID: $1, options: $2) },
                { try await $0.toggle(applicationID: $1, options: $2) },
            ]
            for call in calls {
                await expectError(.invalidArgs) { try await call(stage.sentinel, "x", [:]) }
                await expectError("org.sentinel.Error.UnknownApplication", mentioning: "com.example.Other") {
                    try await call(stage.sentinel, "com.example.Other", [:])
                }
                await expectError(.invalidArgs, mentioning: "device, application, tools") {
                    try await call(stage.sentinel, PresentationStage.id, ["screen": .string("kitchen")])
                }
                await expectError(.invalidArgs, mentioning: "activation_token") {
                    try await call(stage.sentinel, PresentationStage.id, ["activation_token": .byte(1)])
                }
            }
            for call in [calls[0], calls[2]] {
                await expectError(
                    "org.sentinel.Error.Unavailable", mentioning: "org.sentinel.Panel", "org.freedesktop.Notifications",
                    "presenter"
                ) { try await call(stage.sentinel, PresentationStage.id, [:]) }
            }
            try await stage.expectPresented(false, after: [])
            try stage.stop()
        }

        @Test("lose an application that is forgotten")
        func forgotten() async throws {
            let stage = try await PresentationStage()
            try await stage.sentinel.show(applicationID: PresentationStage.id, options: Self.asPresenter)
            try await stage.sentinel.forget(applicationID: PresentationStage.id, options: [:])
            try await stage.expectPresented(false, after: ["Presented", "Dismissed"])
            try stage.stop()
        }
    }
}
