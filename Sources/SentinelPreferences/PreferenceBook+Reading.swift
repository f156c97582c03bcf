// SPDX-License-Identifier: MIT

public import SentinelModels
import SentinelPersistence

extension PreferenceBook {
    /// Lists the preferences in declared order.
    public func list(completion: @escaping Completion<[PreferenceListing]>) {
        perform(
            { (transaction) throws(SentinelError) in
                transaction.state.order.compactMap { transaction.state.entries[$0]?.listing }
            }, completion: completion)
    }

    /// Tells all values in force that are known.
    public func values(completion: @escaping Completion<[Name: PreferenceValue]>) {
        perform(
            { (transaction) throws(SentinelError) in
                transaction.state.entries.compactMapValues(\.value)
            }, completion: completion)
    }

    /// Tells the value in force; a live one is asked for.
    ///
    /// - Parameter completion: `unknownPreference`; for a live one what its provider fails with, and `unavailable` where
    ///   it has none or one whose answer does not fit.
    public func value(_ key: Name, completion: @escaping Completion<PreferenceValue>) {
        perform { (transaction) throws(SentinelError) -> PreferenceValue? in
            let entry = try transaction.state.entry(key)
            return entry.isLive ? nil : entry.value
        } completion: { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let value?): completion(.success(value))
            case .success(nil): readLive(key, completion)
            }
        }
    }

    private func readLive(_ key: Name, _ completion: @escaping Completion<PreferenceValue>) {
        do throws(SentinelError) {
            let provider = try needProvider(for: key)
            provider.read(key) { [self] result in learn(key, result, from: provider, completion) }
        } catch {
            completion(.failure(error))
        }
    }

    /// Tells what every layer holds that has a value, the strongest first.
    ///
    /// - Parameter completion: `unknownPreference`.
    public func explain(
        _ key: Name, completion: @escaping Completion<[(layer: PreferenceLayer, value: PreferenceLayerValue)]>
    ) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.state.entry(key).layers
            }, completion: completion)
    }

    /// Compares two profiles, ordered by the bytes of the keys; nil is the present state.
    ///
    /// - Parameter completion: `unknownProfile`.
    public func compare(_ left: Name?, _ right: Name?, completion: @escaping Completion<[PreferenceDifference]>) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.compare(left, right)
            }, completion: completion)
    }

    /// The stored layer as a JSON text.
    public func export(includesSensitive: Bool, completion: @escaping Completion<String>) {
        perform(
            { [id] (transaction) throws(SentinelError) in
                transaction.document(of: id, includesSensitive: includesSensitive)
            }, completion: completion)
    }

    /// Tells changes of layers, the newest first. It ends early past 4 MiB, after one at least; `before` goes on.
    ///
    /// - Parameters:
    ///   - key: of this preference; nil for all.
    ///   - before: older than this one; nil for all.
    ///   - completion: `unknownPreference`, what the store fails with.
    public func history(
        _ key: Name?, before: Int64?, limit: Int, completion: @escaping Completion<[PreferenceChange]>
    ) {
        hold { [self] error, over in
            let answer: Completion<[PreferenceChange]> = { result in
                completion(result)
                over()
            }
            if let error { return answer(.failure(error)) }
            if let key, state.entries[key] == nil {
                return answer(.failure(SentinelError(.unknownPreference, "no preference \(key) is declared")))
            }
            readChanges(key: key, before: before, limit: limit) { [self] result in
                answer(
                    result.map { rows in
                        rows.map { row in
                            let isMasked = state.isMasked(row.key)
                            return PreferenceChange(row, isMasked: isMasked)
                        }
                    })
            }
        }
    }

    /// Takes note of what a provider has told; of one that has been replaced meanwhile, it is only passed on.
    func learn(
        _ key: Name, _ result: Result<PreferenceValue?, SentinelError>, from provider: any PreferenceProvider,
        _ completion: @escaping Completion<PreferenceValue>
    ) {
        switch result {
        case .failure(let error):
            completion(.failure(error))
        case .success(let value):
            perform(
                { [self] (transaction) throws(SentinelError) in
                    try transaction.learn(key, value, isCurrent: self.provider === provider)
                }, completion: completion)
        }
    }
}
