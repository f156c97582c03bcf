// SPDX-License-Identifier: MIT

public import SentinelModels

/// Who holds the live preferences of an application.
///
/// Called on the thread of the preferences, and answers there; it answers each call once.
public protocol PreferenceProvider: AnyObject, Sendable {
    /// Gets the value, or why there is none.
    typealias Completion = @Sendable (Result<PreferenceValue?, SentinelError>) -> Void

    /// Asks for the value of a preference; nil for an answer that is no value of any preference.
    func read(_ key: Name, completion: @escaping Completion)

    /// Asks for a value to be set.
    ///
    /// - Parameter completion: gets the value in force afterwards; nil for an answer that is no value of any preference.
    func write(_ key: Name, _ value: PreferenceValue, completion: @escaping Completion)
}
