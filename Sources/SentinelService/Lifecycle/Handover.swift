// SPDX-License-Identifier: MIT

import DBus

/// Holds calls back until the service that this one takes over from has ended: it answers, and stores, what has come to
/// it before.
///
/// Confined to the loop's thread.
final class Handover: @unchecked Sendable {
    private let connection: Connection
    /// One that hangs is not waited for longer than one that works would take.
    private let limit: Duration
    private let takeOver: () -> Void
    private var predecessorWatch: Subscription?
    private var ownsName = false
    /// The calls that wait; nil while none has to.
    private var held: [() -> Void]?

    /// - Parameter takeOver: called once, when the name is owned and nobody has to be waited for any more.
    init(_ connection: Connection, limit: Duration, takeOver: @escaping () -> Void) {
        self.connection = connection
        self.limit = limit
        self.takeOver = takeOver
    }

    /// Looks who owns a name, and has calls wait for the end of that one.
    func begin(from name: BusName, then proceed: @escaping @Sendable () -> Void) {
        connection.owner(of: name) { [self] result in
            if case .success(let predecessor?) = result {
                waitForEnd(of: predecessor)
            }
            proceed()
        }
    }

    /// Performs a call, or keeps it until ``end()``.
    func admit(_ call: @escaping () -> Void) {
        if held == nil {
            call()
        } else {
            held?.append(call)
        }
    }

    /// Notes that the name is owned now.
    func nameTaken() {
        ownsName = true
        if predecessorWatch == nil {
            takeOver()
        } else {
            connection.loop.schedule(after: limit) { [weak self] in
                guard let self, predecessorWatch != nil else { return }
                predecessorEnded()
            }
        }
    }

    /// Has calls wait until ``end()``.
    func hold() {
        if held == nil {
            held = []
        }
    }

    /// Performs what was held, and holds nothing from now on.
    func end() {
        predecessorWatch?.cancel()
        predecessorWatch = nil
        let calls = held ?? []
        held = nil
        for call in calls {
            call()
        }
    }

    private func waitForEnd(of predecessor: BusName) {
        held = []
        predecessorWatch = connection.watchOwner(of: predecessor) { [weak self] owner in
            if owner == nil {
                self?.predecessorEnded()
            }
        }
    }

    private func predecessorEnded() {
        predecessorWatch?.cancel()
        predecessorWatch = nil
        if ownsName {
            takeOver()
        }
    }
}
