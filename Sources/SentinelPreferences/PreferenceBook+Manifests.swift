// SPDX-License-Identifier: MIT

public import SentinelModels

/// What is known of preferences that a manifest declares, whose values may be elsewhere.
extension PreferenceBook {
    /// Whether a preference is one that a manifest has declared, and not the application itself.
    public func isOfManifest(_ key: Name) -> Bool { state.entries[key]?.declared.source == .manifest }

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
