// SPDX-License-Identifier: MIT

public import SentinelModels
import SentinelPersistence

/// Every write takes `origin`: who makes it, for the history. Beyond what is told, completions get what the store fails
/// with, and `limitsExceeded` where it would be too much. A value is nil for what is no value of any preference, such as
/// one of a foreign type.
extension PreferenceBook {
    /// Changes a value, and tells the one in force afterwards: that of the strongest writable layer that has the key
    /// (`temporary`, the applied profile, else `stored`). A live one is given to the provider.
    ///
    /// - Parameter completion: `unknownPreference`, `invalidValue`, `readOnly`; for a live one as ``value(_:completion:)``.
    public func set(
        _ key: Name, to value: PreferenceValue?, origin: String, completion: @escaping Completion<PreferenceValue>
    ) {
        perform { (transaction) throws(SentinelError) in
            try transaction.set(key, value, origin: origin)
        } completion: { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(.value(let value)): completion(.success(value))
            case .success(.live(let value)): writeLive(key, value, completion)
            }
        }
    }

    private func writeLive(_ key: Name, _ value: PreferenceValue, _ completion: @escaping Completion<PreferenceValue>) {
        do throws(SentinelError) {
            let provider = try needProvider(for: key)
            provider.write(key, value) { [self] result in learn(key, result, from: provider, completion) }
        } catch {
            completion(.failure(error))
        }
    }

    /// Changes several values, all or none.
    ///
    /// - Parameter completion: as ``set(_:to:origin:completion:)``, `notSupported` where one is live; all problems in one
    ///   error.
    public func setMany(
        _ values: [Name: PreferenceValue?], origin: String, completion: @escaping Completion<Void>
    ) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.setMany(values, origin: origin)
            }, completion: completion)
    }

    /// Overrides a value for a time, which goes on while the service does not run or the machine sleeps.
    ///
    /// - Parameter completion: as ``set(_:to:origin:completion:)``, `notSupported` for a live one, `invalidArgs` for a
    ///   time that is not more than 0 and at most 100 years.
    public func set(
        _ key: Name, to value: PreferenceValue?, forSeconds seconds: Double, origin: String,
        completion: @escaping Completion<Void>
    ) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.setFor(key, value, seconds: seconds, origin: origin)
            }, completion: completion)
    }

    /// Sets values back to their defaults, all or none; live ones by their provider, before the others.
    ///
    /// - Parameters:
    ///   - keys: nil for all that can be written.
    ///   - completion: as ``set(_:to:origin:completion:)``. Of all, `unavailable` ones are passed over, and the first
    ///     other error of the provider is told once the rest is reset.
    public func reset(_ keys: [Name]?, origin: String, completion: @escaping Completion<Void>) {
        let step: @Sendable (inout PreferenceTransaction) throws(SentinelError) -> [(Name, PreferenceValue)] = {
            (transaction) throws(SentinelError) in
            // Where live ones are among them, this is only to find out whether the rest can be done.
            var trial = transaction
            let live = try trial.reset(keys, origin: origin)
            if live.isEmpty { transaction = trial }
            return live
        }
        perform(step) { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let live) where live.isEmpty: completion(.success(()))
            case .success(let live): resetLive(live[...], isAll: keys == nil, then: keys, origin, completion)
            }
        }
    }

    /// - Parameter failure: what has gone wrong so far where all is to be reset, which keeps nothing else from it.
    private func resetLive(
        _ live: ArraySlice<(Name, PreferenceValue)>, isAll: Bool, then keys: [Name]?, _ origin: String,
        failure: SentinelError? = nil, _ completion: @escaping Completion<Void>
    ) {
        guard let (key, value) = live.first, !isAll || provider != nil else {
            return perform { (transaction) throws(SentinelError) in
                _ = try transaction.reset(keys, origin: origin)
            } completion: { result in
                completion(failure.map(Result.failure) ?? result)
            }
        }
        writeLive(key, value) { [self] result in
            var (rest, failure) = (live.dropFirst(), failure)
            if case .failure(let error) = result {
                guard isAll else { return completion(.failure(error)) }
                if error.code != .unavailable { failure = failure ?? error }
                // Every other key would wait as long as this one has.
                if [.providerTimeout, .providerGone].contains(error.code) { rest = [] }
            }
            resetLive(rest, isAll: isAll, then: keys, origin, failure: failure, completion)
        }
    }

    /// Puts the value of a layer back to what it was before a change.
    ///
    /// - Parameter completion: `unknownChange`, `conflict` where the layer no longer holds what the change brought, and as
    ///   ``set(_:to:origin:completion:)``.
    public func undo(_ number: UInt64, origin: String, completion: @escaping Completion<Void>) {
        let unknown = SentinelError(.unknownChange, "\(id) has no change \(number)")
        hold { [self] error, over in
            let answer: Completion<Void> = { result in
                completion(result)
                over()
            }
            if let error { return answer(.failure(error)) }
            guard let number = Int64(exactly: number) else { return answer(.failure(unknown)) }
            readChange(number) { [self] result in
                // What waits behind this comes after the undoing.
                switch result {
                case .failure(let error): answer(.failure(error))
                case .success(nil): answer(.failure(unknown))
                case .success(let change?):
                    performFirst(
                        { (transaction) throws(SentinelError) in
                            try transaction.undo(change, origin: origin)
                        }, completion: completion)
                    over()
                }
            }
        }
    }

    // MARK: Declarations

    /// Declares preferences of the application, all or none, in the order in which they are to be listed.
    ///
    /// - Parameter completion: `invalidArgs` where a key is there twice, `limitsExceeded`.
    public func declare(
        _ declarations: [PreferenceDeclaration], origin: String, completion: @escaping Completion<Void>
    ) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.declare(declarations, origin: origin)
            }, completion: completion)
    }

    /// Declares what a manifest says, in place of what one said before. What the application declares itself comes
    /// first: it stays as it is.
    ///
    /// - Parameter completion: as ``declare(_:origin:completion:)``.
    public func declareManifest(
        _ declarations: [PreferenceDeclaration], origin: String, completion: @escaping Completion<Void>
    ) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.declareManifest(declarations, origin: origin)
            }, completion: completion)
    }

    /// Removes preferences with their values, all or none.
    ///
    /// - Parameter completion: `unknownPreference`.
    public func remove(_ keys: [Name], completion: @escaping Completion<Void>) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.remove(keys)
            }, completion: completion)
    }

    /// Takes note of live values that have changed, all or none.
    ///
    /// - Parameter completion: `unknownPreference`, `invalidValue`, `invalidArgs` for one that is not live.
    public func update(_ values: [Name: PreferenceValue?], completion: @escaping Completion<Void>) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.update(values)
            }, completion: completion)
    }

    // MARK: Profiles and documents

    /// Saves the values in force that differ from their defaults.
    ///
    /// - Parameter completion: `limitsExceeded`.
    public func saveProfile(_ name: Name, origin: String, completion: @escaping Completion<Void>) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.saveProfile(name, origin: origin)
            }, completion: completion)
    }

    /// Makes a profile the layer `profile`; nil for none.
    ///
    /// - Parameter completion: `unknownProfile`, `invalidValue` for one that is no longer valid, `notSupported` for one of
    ///   a preference that has become live.
    public func applyProfile(_ name: Name?, origin: String, completion: @escaping Completion<Void>) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.applyProfile(name, origin: origin)
            }, completion: completion)
    }

    /// Deletes a profile; if it is applied, none is afterwards.
    ///
    /// - Parameter completion: `unknownProfile`.
    public func deleteProfile(_ name: Name, origin: String, completion: @escaping Completion<Void>) {
        perform(
            { (transaction) throws(SentinelError) in
                try transaction.deleteProfile(name, origin: origin)
            }, completion: completion)
    }

    /// Takes over stored values from a JSON text, all or none, and tells what the layer holds before and after.
    ///
    /// - Parameters:
    ///   - isDry: whether it only tells what would change.
    ///   - completion: `invalidArgs`, `unknownPreference`, `invalidValue`, `readOnly`, `notSupported` where one is live;
    ///     all problems in one error.
    public func `import`(
        _ document: String, isDry: Bool, origin: String, completion: @escaping Completion<[PreferenceDifference]>
    ) {
        perform(
            { [id] (transaction) throws(SentinelError) in
                try transaction.take(document, of: id, isDry: isDry, origin: origin)
            }, completion: completion)
    }
}
