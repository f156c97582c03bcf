// SPDX-License-Identifier: MIT

/// Where a value of a preference comes from.
public enum PreferenceLayer: String, CaseIterable, Sendable {
    /// The command line or environment of a running instance.
    case launch
    /// An override that ends by itself.
    case temporary
    /// The profile that is applied.
    case profile
    /// What was set to stay.
    case stored
    /// What the declaration says.
    case `default`
    /// The application itself, for a live preference.
    case provider
}
