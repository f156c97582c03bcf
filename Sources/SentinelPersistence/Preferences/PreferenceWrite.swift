// SPDX-License-Identifier: MIT

public import SentinelModels

/// One thing to write about an application's preferences.
public enum PreferenceWrite: Sendable {
    /// A layer of values of its own; a profile's are in the profile.
    public enum Layer: String, Sendable {
        /// What stays.
        case stored
        /// What ends by itself.
        case temporary
    }

    /// Keep a declaration, in place of one of the same key.
    case declare(StoredPreferences.Declaration)
    /// Remove a declaration; its values are not touched.
    case removeDeclaration(Name)
    /// Keep a value, in place of one of the same layer and key.
    case set(Layer, Name, StoredPreferences.Value)
    /// Remove a value.
    case unset(Layer, Name)
    /// Keep a profile with these values alone.
    case saveProfile(Name, [Name: StoredPreferences.Value])
    /// Remove a profile.
    case deleteProfile(Name)
    /// Make a profile the one that is applied; nil for none.
    case applyProfile(Name?)
    /// Keep a value in a profile.
    case setInProfile(Name, Name, StoredPreferences.Value)
    /// Remove a value from a profile.
    case unsetInProfile(Name, Name)
    /// Remember a change.
    case record(StoredChange)
    /// Forget the changes of a preference.
    case forgetChanges(Name)

    /// Whether it can be said again when it is lost, as applications do at each start.
    var isRepeatable: Bool {
        switch self {
        case .declare, .removeDeclaration: true
        default: false
        }
    }
}
