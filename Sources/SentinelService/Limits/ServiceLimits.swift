// SPDX-License-Identifier: MIT

import SentinelModels

/// All limits that can be configured: their names, their standard values and what they may be.
struct ServiceLimits: Sendable {
    /// Applications that are known, the service itself not counted.
    var applications = 1000
    /// Triggers of an application.
    var triggers = 64
    var preferences = PreferenceLimits.standard
    var tools = ToolLimits.standard
    var providers = ProviderLimits()

    /// The limits where nothing else is said.
    static let standard = ServiceLimits()

    /// What a manifest may declare: what an application may.
    var manifests: Manifest.Limits {
        var limits = Manifest.Limits()
        limits.preferences = preferences
        limits.tools = tools
        limits.triggers = triggers
        return limits
    }

    /// What providers are granted: their answers may have what screens and values may, and what they are packed in.
    var grantedToProviders: ProviderLimits {
        var limits = providers
        limits.contentBytes = max(limits.contentBytes, 4 * tools.toolBytes)
        limits.answerBytes = max(limits.answerBytes, 2 * preferences.textBytes)
        return limits
    }

    /// One limit.
    struct Limit: Sendable {
        /// Its name in the file.
        let name: String
        /// What it may be.
        let range: ClosedRange<Int>
        /// What it limits, for people.
        let meaning: String
        let place: any WritableKeyPath<ServiceLimits, Int> & Sendable

        init(
            _ name: String, _ place: any WritableKeyPath<ServiceLimits, Int> & Sendable, _ range: ClosedRange<Int>,
            _ meaning: String
        ) {
            self.name = name
            self.place = place
            self.range = range
            self.meaning = meaning
        }

        /// What it is where nothing else is said.
        var standard: Int { ServiceLimits.standard[keyPath: place] }
    }

    /// All limits, as the README has them.
    static let all: [Limit] = [
        Limit(
            "applications", \.applications, 1...10_000, "applications that are known, the service itself not counted"),
        Limit("triggers", \.triggers, 1...1024, "triggers of an application"),
        Limit("preferences", \.preferences.preferences, 1...10_000, "preferences of an application"),
        Limit("preference_choices", \.preferences.choices, 1...10_000, "choices of a preference"),
        Limit("name_bytes", \.preferences.titleBytes, 64...16_384, "bytes of a preference's name, section or choice"),
        Limit("description_bytes", \.preferences.descriptionBytes, 64...65_536, "bytes of a preference's description"),
        Limit("value_bytes", \.preferences.textBytes, 256...1_048_576, "bytes of a text that is a preference's value"),
        Limit("pattern_bytes", \.preferences.patternBytes, 16...4096, "bytes of a preference's pattern"),
        Limit(
            "matched_value_bytes", \.preferences.matchedTextBytes, 64...65_536,
            "bytes of a text that is to match a pattern"),
        Limit("profiles", \.preferences.profiles, 1...1000, "profiles of an application"),
        Limit("history", \.preferences.history, 1...100_000, "changes of an application that are remembered"),
        Limit(
            "history_bytes", \.preferences.historyBytes, 4096...67_108_864,
            "bytes of an application's changes that are remembered, the latest in any case"),
        Limit("import_bytes", \.preferences.documentBytes, 4096...67_108_864, "bytes of preferences that are imported"),
        Limit("tools", \.tools.tools, 1...1000, "tools of an application"),
        Limit("tool_sections", \.tools.sections, 1...1000, "sections of a screen"),
        Limit("tool_items", \.tools.items, 1...10_000, "items of a screen"),
        Limit("tool_choices", \.tools.choices, 1...1000, "choices of an item"),
        Limit("tool_parameters", \.tools.parameters, 1...256, "parameters of an action"),
        Limit("tool_text_bytes", \.tools.labelBytes, 64...65_536, "bytes of a title or description in a screen"),
        Limit("tool_bytes", \.tools.toolBytes, 4096...4_194_304, "bytes of a screen"),
        Limit(
            "application_tools_bytes", \.tools.applicationBytes, 4096...67_108_864,
            "bytes of an application's tools, values included"),
        Limit(
            "all_tools_bytes", \.tools.totalBytes, 4096...1_073_741_824,
            "bytes of the tools of all applications, values included"),
        Limit("provider_calls", \.providers.outstandingCalls, 1...1024, "calls that wait for one provider"),
        Limit("provider_seconds", \.providers.deadlineSeconds, 1...20, "seconds for a provider to read or write"),
        Limit("action_seconds", \.providers.actionDeadlineSeconds, 1...600, "seconds for an action"),
    ]
}
