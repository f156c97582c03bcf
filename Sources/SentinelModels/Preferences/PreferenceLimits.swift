// SPDX-License-Identifier: MIT

/// How much of everything an application's preferences may be. What goes beyond is answered with `limitsExceeded`.
public struct PreferenceLimits: Hashable, Sendable {
    /// Preferences of an application.
    public var preferences = 1000
    /// Choices of a preference.
    public var choices = 1000
    /// Bytes of a name, a section's title or a choice's title.
    public var titleBytes = 1024
    /// Bytes of a description.
    public var descriptionBytes = 4096
    /// Bytes of a text that is the value of a preference.
    public var textBytes = 64 << 10
    /// Bytes of a pattern.
    public var patternBytes = 1024
    /// Bytes of a text that is to match a pattern.
    public var matchedTextBytes = 4096
    /// Profiles of an application.
    public var profiles = 100
    /// Changes of an application that are remembered; the oldest go.
    public var history = 1000
    /// Bytes of them together; the oldest go, down to half where large ones come, but the latest stays.
    public var historyBytes = 4 << 20
    /// Bytes of a document that is imported.
    public var documentBytes = 4 << 20
    /// Bytes of the declarations of an application with the values of all layers and what is known of live ones.
    public var applicationBytes = 4 << 20
    /// Bytes of all applications' together.
    public var totalBytes = 64 << 20
    /// Whether patterns are compiled, and texts held against them.
    public var checksPatterns = true

    /// The limits of the service.
    public init() {}

    /// No limits, for a declaration that was within them when it was made.
    public static let none: PreferenceLimits = {
        var limits = PreferenceLimits()
        for limit in [
            \.preferences, \.choices, \.titleBytes, \.descriptionBytes, \.textBytes, \.patternBytes, \.matchedTextBytes,
            \.profiles, \.history, \.documentBytes,
        ] as [WritableKeyPath<PreferenceLimits, Int>] {
            limits[keyPath: limit] = .max
        }
        limits.checksPatterns = false
        return limits
    }()

    /// The limits of the service, where nothing else is said.
    public static let standard = PreferenceLimits()
}
