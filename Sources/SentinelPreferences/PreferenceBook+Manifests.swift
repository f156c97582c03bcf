// SPDX-License-Identifier: MIT

public import SentinelModels

/// What is known of preferences that a manifest declares, whose values may be elsewhere.
extension PreferenceBook {
    /// The keys of the preferences that a manifest has declared.
    public var manifestKeys: Set<Name> {
        Set(state.entries.values.lazy.filter { $0.declared.source == .manifest }.map(\.declaration.key))
    }

    /// Notes that nobody vouches for the known values of live preferences any more.
    public func makeStale(_ keys: [Name]) {
        perform { (transaction) throws(SentinelError) in
            for key in keys {
                transaction.state.entries[key]?.isStale = true
            }
        } completion: { _ in
        }
    }
}
