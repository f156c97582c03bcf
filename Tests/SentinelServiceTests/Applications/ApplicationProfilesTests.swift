// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelModels
import SystemFacts
import TestSupport
import Testing

@testable import SentinelService

@Suite("Application profiles", .timeLimit(.minutes(5)))
struct ApplicationProfilesTests {
    /// An application and its profile; confined to the loop's thread.
    private final class Fixture: @unchecked Sendable {
        let application: KnownApplication
        let profiles: ApplicationProfiles

        init(_ loop: EventLoop) throws {
            let time = WallClock.system.now()
            application = KnownApplication(
                ApplicationRecord(id: try ApplicationID("com.example.App"), firstSeen: time, lastSeen: time))
            let reader = FactsReader(loop: loop, places: ApplicationPlaces(environment: [:]))
            profiles = ApplicationProfiles(reader, sessionLocale: "C") { _, _ in }
        }
    }

    @Test("changes that come faster than files are read leave no queue, and the last one counts")
    func flood() async throws {
        let loop = try EventLoop.startThread(named: "profiles")
        let fixture = try Fixture(loop)
        let client: BusName = ":1.1"
        let numbers = Recorder<UInt64>()
        loop.enqueue {
            for _ in 0..<100 {
                _ = fixture.application.update(
                    KnownApplication.Instance(
                        client: client, processID: UInt32(getpid()), registration: Registration()))
                fixture.profiles.renew(fixture.application)
                _ = fixture.application.removeInstance(of: client)
                fixture.profiles.renew(fixture.application)
            }
            _ = fixture.application.update(
                KnownApplication.Instance(client: client, processID: UInt32(getpid()), registration: Registration()))
            fixture.profiles.renew(fixture.application)
            fixture.profiles.refresh(fixture.application) { _ in
                numbers.append(fixture.application.profileNumber)
            }
        }
        // One that was under way, this one, and at most one after what was under way.
        let number = try #require(try await numbers.wait(for: 1).first)
        #expect(number <= 3)
        try await waitUntil("all is read, and the profile is that of the process") {
            await withCheckedContinuation { continuation in
                loop.enqueue {
                    let isDone = !fixture.profiles.isReading
                    continuation.resume(
                        returning: isDone && fixture.application.profile?.processID == UInt32(getpid()))
                }
            }
        }
        loop.stop()
    }
}
