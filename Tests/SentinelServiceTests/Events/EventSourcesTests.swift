// SPDX-License-Identifier: MIT

import DBus
import SystemFacts
import Testing

@testable import SentinelService

@Suite("Sources of events")
struct EventSourcesTests {
    @Test(
        "a sandbox without a usable application id records nothing",
        arguments: [.unidentified, .flatpak(application: ""), .flatpak(application: "no id"), .snap(name: "")]
            as [Sandbox])
    func confinement(sandbox: Sandbox) throws {
        let peer = Peer(processID: 1, userID: 0, sandbox: sandbox)
        let error = #expect(throws: DBusError.self) { try EventSources.confinement(of: peer).get() }
        #expect(error?.code == .accessDenied)
    }
}
