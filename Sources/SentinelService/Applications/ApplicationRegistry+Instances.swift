// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

// The instances that end, and the applications that are forgotten some time after their last one.

extension ApplicationRegistry {
    func end(_ applications: [KnownApplication], of client: BusName) {
        let now = clock.now()
        var ended: [ApplicationID] = []
        for application in applications {
            guard let instance = application.instances.first(where: { $0.client == client }) else { continue }
            let launch = application.launch
            let properties = application.removeInstance(of: client)
            if !application.isRunning {
                application.record.lastSeen = now
                ended.append(application.id)
            }
            changed?(application, .updated(properties))
            if application.launch != launch {
                changed?(application, .launched)
            }
            instanceEnded?(application, instance)
        }
        guard !ended.isEmpty else { return }
        touch(ended, at: now)
        scheduleExpiry()
    }

    func touch(_ ids: [ApplicationID], at time: Timestamp) {
        store.touch(ids: ids, lastSeen: time) { [log] result in
            if case .failure(let error) = result {
                log.warning("cannot store when \(ids.count) applications were last seen", because: error)
            }
        }
    }

    /// Forgets the applications whose time is over, and sees to the next.
    func forgetExpired() {
        guard !isTakingInDatabase else { return }
        for application in known.values where isExpired(application) {
            inTurn(application.id) { [self] over in
                // It may have come back while this waited.
                guard known[application.id] === application, isExpired(application) else { return over() }
                log.info("forgetting \(application.id), which has declared nothing and not run for a day")
                forget(application, over) { [log, id = application.id] result in
                    if case .failure(let error) = result {
                        log.warning("cannot forget \(id)", because: error)
                    }
                }
            }
        }
        scheduleExpiry()
    }

    private func isExpired(_ application: KnownApplication) -> Bool {
        canExpire(application) && expiry(of: application) <= clock.now().microseconds
    }

    /// Whether nothing but time keeps an application.
    private func canExpire(_ application: KnownApplication) -> Bool {
        !application.isRunning && application.description == nil && isKept?(application.id) != true
    }

    func scheduleExpiry() {
        expiry?.cancel()
        let now = clock.now().microseconds
        let next = known.values.filter(canExpire).map { expiry(of: $0) }.filter { $0 > now }.min()
        expiry = next.map { next in
            connection.loop.schedule(after: .microseconds(next - now)) { [weak self] in self?.forgetExpired() }
        }
    }

    private func expiry(of application: KnownApplication) -> Int64 {
        max(graceEnd, application.record.lastSeen.microseconds + Self.retention.microseconds)
    }
}
