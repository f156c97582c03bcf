// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

extension ToolDirectory {
    /// Takes in the tools of an application that another database holds which has come into use. What is known stays,
    /// and is stored where the database has it otherwise or not at all.
    func takeInDatabase(of application: KnownApplication, completion: @escaping Completion) {
        inTurn(application, completion) { [self] over in
            nonisolated(unsafe) let application = application
            store.tools(
                of: application.id,
                completion: connection.loop.completion { [self] result in
                    switch result {
                    case .success(let stored): merge(stored, of: application, completion)
                    case .failure(let error): completion(.failure(error))
                    }
                    over()
                })
        }
    }

    private func merge(_ stored: [StoredTool], of application: KnownApplication, _ completion: @escaping Completion) {
        var merged = stored
        var lacking: [StoredTool] = []
        for tool in tools(of: application) {
            guard let place = stored.firstIndex(where: { $0.tool.id == tool.tool.id }) else {
                merged.append(tool.moved(to: (merged.last?.position ?? -1) + 1))
                lacking.append(merged[merged.endIndex - 1])
                continue
            }
            // What the application declares itself stands above what a manifest says.
            if tool.origin == .manifest, stored[place].origin == .application { continue }
            merged[place] = tool.moved(to: stored[place].position)
            if merged[place] != stored[place] {
                lacking.append(merged[place])
            }
        }
        replace(merged, of: application)
        guard !lacking.isEmpty else { return completion(.success(())) }
        store.change(application.record, declaring: lacking, removing: [], completion: completion)
        for tool in lacking where !tool.values.isEmpty {
            store.set(tool.values, of: tool.tool.id, of: application.id) { result in
                if case .failure = result { completion(result) }
            }
        }
    }
}
