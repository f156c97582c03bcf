// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Activation", .serialized, .timeLimit(.minutes(5)))
    struct ActivationTests {
        private let directory: TemporaryDirectory
        private let bus: PrivateBus

        init() throws {
            directory = try TemporaryDirectory()
            bus = try PrivateBus(activatable: [
                "org.sentinel": "\(BuiltProducts.path(of: "sentineld")) --data-dir \(directory.path(of: "data"))"
            ])
        }

        private func stop(_ client: TestClient) async throws {
            let process = Int32(bitPattern: try await client.processID(of: TestClient.service))
            kill(process, SIGTERM)
            try await waitUntil("the service ends") { !ProcessFacts(identifier: process).isRunning }
        }

        @Test("calls that wait for the service to be started are all answered")
        func backlog() async throws {
            let client = try TestClient(on: bus)
            let outcomes = Recorder<Result<Message, DBusError>>()
            let total = 400
            for number in 0..<total {
                try client.send("Register", "com.example.App\(number)", to: outcomes)
            }
            for outcome in try await outcomes.wait(for: total) {
                #expect(outcome.errorCode == nil)
            }
            #expect(try await client.sentinel.listApplications().count == total + 1)
            try await stop(client)
        }

        @Test("a service that is stopped and called at once answers, at the latest the second time")
        func immediateRestart() async throws {
            let client = try TestClient(on: bus)
            try await client.register("com.example.App")
            var processes: Set<UInt32> = []
            for _ in 0..<20 {
                let process = try await client.processID(of: TestClient.service)
                processes.insert(process)
                kill(Int32(bitPattern: process), SIGTERM)
                do {
                    try await client.register("com.example.App")
                } catch let error as DBusError where [.serviceUnknown, .noReply].contains(error.code) {
                    try await client.register("com.example.App")
                }
                try await waitUntil("the old service ends") { !ProcessFacts(identifier: Int32(process)).isRunning }
                // The call may have been answered by the one that ended.
                let entry = try await client.entry(of: "com.example.App")
                #expect(entry?.name == "com.example.App")
            }
            #expect(processes.count == 20)
            try await stop(client)
        }

        @Test("the first call after a crash starts the service and is valid, whatever it is")
        func firstCallAfterCrash() async throws {
            let client = try TestClient(on: bus)
            let path = try await client.register("com.example.App", ["name": .string("App")])
            for round in 0..<6 {
                let process = Int32(bitPattern: try await client.processID(of: TestClient.service))
                kill(process, SIGKILL)
                try await waitUntil("the service is gone") { !ProcessFacts(identifier: process).isRunning }
                try await waitUntil("the bus knows") { (try? await client.processID(of: TestClient.service)) == nil }
                switch round {
                case 0: #expect(try await client.application(at: path).name() == "App")
                case 1: try await client.sentinel.unregister(applicationID: "com.example.App", options: [:])
                case 2: #expect(try await client.register("com.example.App") == path)
                case 3: #expect(try await client.entry(of: "com.example.App")?.running == false)
                case 4: #expect(try await client.managedObjects()[path] != nil)
                default: try await client.sentinel.forget(applicationID: "com.example.App", options: [:])
                }
            }
            #expect(try await client.entry(of: "com.example.App") == nil)
            try await stop(client)
        }
    }
}
