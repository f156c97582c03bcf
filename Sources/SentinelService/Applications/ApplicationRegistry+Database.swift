// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

extension ApplicationRegistry {
    /// Takes in the applications of another database that has come into use. What is known stays, and is stored there.
    /// Nothing expires until ``finishDatabase()``.
    ///
    /// - Parameter completion: told the applications that are known then, or may be once what is being done with them is
    ///   over; none where the database cannot be read.
    func takeInDatabase(completion: @escaping @Sendable ([ApplicationID]) -> Void) {
        isTakingInDatabase = true
        store.applications(
            completion: connection.loop.completion { [self] result in
                switch result {
                case .success(let records):
                    let others = records.filter { $0.id != .sentinel }
                    merge(others)
                    completion(Set(others.map(\.id)).union(known.keys).sorted())
                case .failure(let error):
                    log.warning("cannot read the applications of the database", because: error)
                    completion([])
                }
            })
    }

    /// Lets applications expire again.
    func finishDatabase() {
        isTakingInDatabase = false
        keptChanged()
    }

    private func merge(_ records: [ApplicationRecord]) {
        for record in records {
            // What waits may be its being forgotten.
            let isNew = known[record.id] == nil && !isBusy(record.id)
            inTurn(record.id) { [self] over in
                defer { over() }
                guard let application = known[record.id] else {
                    if isNew { takeIn(record) }
                    return
                }
                let completed = application.record.completed(by: record)
                takeIn(completed)
                if completed != record { keep(completed) }
            }
        }
        let stored = Set(records.map(\.id))
        for id in known.keys where !stored.contains(id) {
            inTurn(id) { [self] over in
                defer { over() }
                if let application = known[id] { keep(application.record) }
            }
        }
    }

    private func keep(_ record: ApplicationRecord) {
        store.save(record) { [log] result in
            if case .failure(let error) = result {
                log.warning("cannot store \(record.id) in the database", because: error)
            }
        }
    }
}
