// SPDX-License-Identifier: MIT

import DBus

/// The proximity sensor (iio-sensor-proxy), which is switched on only while somebody asks.
///
/// Confined to the loop's thread.
final class ProximitySensor: @unchecked Sendable {
    /// What a sensor that has just been switched on needs for its first reading.
    private static let settlingTime = Duration.milliseconds(250)

    private let service: ServiceProperties
    private let loop: EventLoop
    /// How long the sensor stays on after it was last asked.
    private let holdTime: Duration

    private var isClaimed = false
    /// Whether what the service tells is a reading: it has been switched on once since the service came.
    private var hasReading = false
    private var claimProblem: String?
    private var releaseTimer: LoopTimer?

    init(_ service: ServiceProperties, on loop: EventLoop, holdTime: Duration) {
        self.service = service
        self.loop = loop
        self.holdTime = holdTime
        service.onGone = { [weak self] in self?.forget() }
    }

    /// Takes over what the sensor tells.
    func apply(to facts: inout DeviceFacts) {
        facts.prefer(sensors: service.reading, isClaimed: hasReading, claimProblem: claimProblem)
    }

    /// Asks the sensor, and switches it on first if there is one; `completion` is called once.
    func ask(_ completion: @escaping @Sendable () -> Void) {
        loop.preconditionIsCurrent()
        service.ask { [self] in
            guard service.reading.truth("HasProximity").value == true else { return completion() }
            holdOn()
            guard !isClaimed else { return completion() }
            claim(completion)
        }
    }

    /// Forgets what was claimed on a connection that has gone, or with a service that has.
    func forget() {
        isClaimed = false
        hasReading = false
        claimProblem = nil
        releaseTimer?.cancel()
        releaseTimer = nil
    }

    private func claim(_ completion: @escaping @Sendable () -> Void) {
        let connection = service.connection
        service.call("ClaimProximity") { [self] result in
            guard let connection, service.connection === connection else { return completion() }
            if case .failure(let error) = result {
                claimProblem = "the sensor cannot be claimed: \(service.describe(error))"
                if error.code == .noReply {
                    // It may be claimed all the same, late.
                    release()
                }
                return completion()
            }
            isClaimed = true
            claimProblem = nil
            loop.schedule(after: Self.settlingTime) { [self] in
                guard isClaimed else { return completion() }
                hasReading = true
                service.ask(completion)
            }
        }
    }

    private func holdOn() {
        releaseTimer?.cancel()
        releaseTimer = loop.schedule(after: holdTime) { [weak self] in self?.endClaim() }
    }

    private func endClaim() {
        guard isClaimed else { return }
        isClaimed = false
        release()
    }

    private func release() {
        // Whatever the answer is, the service ends the claim with the connection at the latest.
        service.call("ReleaseProximity") { _ in }
    }
}
