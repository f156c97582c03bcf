// SPDX-License-Identifier: MIT

import SentinelModels

/// Where preferences are whose values are in something that other programs write too, as manifests say. What is there
/// counts: the service keeps no value of its own.
///
/// Confined to the loop's thread.
protocol SettingsStorage: AnyObject {
    typealias Completion = @Sendable (Result<PreferenceValue?, SentinelError>) -> Void

    /// Told the values that are there, when they are first read and when they have changed.
    var valuesRead: ((ApplicationID, [Name: PreferenceValue]) -> Void)? { get set }
    /// Told the keys whose values cannot be read.
    var valuesLost: ((ApplicationID, [Name]) -> Void)? { get set }

    /// Whether an application has values here.
    func hasBindings(_ id: ApplicationID) -> Bool
    /// Whether a value is here.
    func holds(_ key: Name, of id: ApplicationID) -> Bool
    /// Reads a value that is here.
    func read(_ key: Name, of id: ApplicationID, completion: @escaping Completion)
    /// Writes a value that is here, and tells the one that is there afterwards.
    func write(_ value: PreferenceValue, to key: Name, of id: ApplicationID, completion: @escaping Completion)
    /// Lets go of all of an application.
    func forget(_ id: ApplicationID)
}

extension SettingsStorage {
    /// That a value is not here any more.
    static func gone(_ key: Name) -> SentinelError {
        SentinelError(.unavailable, "preference \(key): its manifest has been changed meanwhile")
    }
}
