// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPersistence

extension ToolDirectory {
    /// Takes in the tools of an application that another database holds which has come into use. What is known stays,
    /// and is stored where the database has it otherwise or not at all; a tool that both know as the same has the
    /// database's values as well.
    func takeInDatabase(of application: KnownApplication, completion: @escaping Completion) {
        registry.inTurn(application, completion) { [self] over in
            nonisolated(unsafe) let application = application
            store.tools(
                of: application.id,
                completion: connection.loop.completion { [self] result in
                    let finish: Completion = { result in
                        completion(result)
                        over()
                    }
                    switch result {
                    case .success(let stored): merge(stored, of: application, finish)
                    case .failure(let error): finish(.failure(error))
                    }
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
            let other = stored[place]
            // What the application declares itself stands above what a manifest says.
            let isOutranked = tool.origin == .manifest && other.origin == .application
            var winner = isOutranked ? other : tool.moved(to: other.position)
            if tool.tool == other.tool {
                winner.values = other.values.merging(tool.values) { $1 }
            }
            merged[place] = winner
            if winner != other {
                lacking.append(winner)
            }
        }
        replace(merged, of: application, declared: merged)
        guard !lacking.isEmpty else { return completion(.success(())) }
        store.change(
            application.record, declaring: lacking, removing: [], isRepeatable: true,
            completion: connection.loop.completion(completion))
    }
}
