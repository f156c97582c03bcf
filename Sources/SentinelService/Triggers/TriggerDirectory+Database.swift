// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

extension TriggerDirectory {
    /// Takes in the triggers of an application that another database holds which has come into use. What is known stays,
    /// and is stored where the database has it otherwise or not at all.
    func takeInDatabase(
        of application: KnownApplication, completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        registry.inTurn(application.id) { [self] over in
            let finish: @Sendable (Result<Void, SentinelError>) -> Void = { result in
                completion(result)
                over()
            }
            guard registry.find(application.id) === application else { return finish(.success(())) }
            store.triggers(
                of: application.id,
                completion: connection.loop.completion { [self, id = application.id] result in
                    switch result {
                    case .success(let stored): merge(stored, of: id, finish)
                    case .failure(let error): finish(.failure(error))
                    }
                })
        }
    }

    private func merge(
        _ stored: [StoredTrigger], of application: ApplicationID,
        _ completion: @escaping @Sendable (Result<Void, SentinelError>) -> Void
    ) {
        for stored in stored {
            takeIn(stored)
        }
        let kept = Dictionary(stored.map { ($0.id, $0.declaration) }) { first, _ in first }
        let lacking = triggers(of: application).filter { $0.isStored && kept[$0.id] != $0.plan.declaration }
        guard !lacking.isEmpty else { return completion(.success(())) }
        store.save(lacking.map(\.stored), isRepeatable: true, completion: connection.loop.completion(completion))
    }
}
