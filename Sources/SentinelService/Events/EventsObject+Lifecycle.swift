// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

extension EventsObject {
    /// Takes in what was set, closes what the end of the service before has left open, and removes what is too old.
    ///
    /// - Parameters:
    ///   - limit: how long the disk is waited for.
    ///   - completion: called once, when no event is open any more or the time is over.
    func begin(limit: Duration, completion: @escaping @Sendable () -> Void) {
        settings.load()
        settingsFollower?()
        let timer = loop.schedule(after: limit) { [weak self] in self?.began(completion) }
        store.closeOpenEvents(
            completion: loop.completion { [weak self, log] result in
                if case .failure(let error) = result {
                    log.warning("cannot close the events that were open at the last end", because: error)
                }
                timer.cancel()
                self?.began(completion)
            })
        retention.expire()
    }

    /// Takes in what was set, and closes what was left open, in a database that has come into use since.
    func databaseChanged() {
        settings.loadAgain { [weak self] in
            guard let self else { return }
            // What has begun since, or was saved from a damaged database, and still goes on stays open.
            store.closeOpenEvents(
                except: Set(capture.openIDs),
                completion: loop.completion { [log] result in
                    if case .failure(let error) = result {
                        log.warning("cannot close the events that were open in the database", because: error)
                    }
                })
            retention.expire()
        }
    }

    private func began(_ completion: () -> Void) {
        guard !hasBegun else { return }
        hasBegun = true
        completion()
    }

    /// What the service tells of its recording.
    var document: JSONValue {
        [
            "capturing": .bool(capturing),
            "paused_until": .integer(pausedUntil),
            "rules": settings.rules.document,
            "retention_days": .integer(Int64(retentionDays)),
            "max_bytes": .unsigned(maxBytes),
            "event_count": .unsigned(eventCount),
            "storage_bytes": .unsigned(storageBytes),
            "location": .string(location),
        ]
    }
}
