// SPDX-License-Identifier: MIT

/// Rules in order: the first that an event fits counts, and an event that fits none is allowed.
public struct EventRules: Hashable, Sendable {
    /// The rules, the first to be looked at first.
    public let rules: [EventRule]

    /// Rules in an order.
    public init(_ rules: [EventRule] = []) {
        self.rules = rules
    }

    /// What is to be stored of an event.
    ///
    /// - Returns: the event as it is, or without data that a rule removes and marked; nil where a rule denies it. One
    ///   that has nothing left to remove stays as it is.
    public func apply(to event: Event) -> Event? {
        guard let rule = rules.first(where: { $0.fits(event) }) else { return event }
        switch rule.action {
        case .allow: return event
        case .deny: return nil
        case .redact: return redact(event, rule.field)
        }
    }

    /// The rule that counts for an event whatever its data are; nil where the data decide, or no rule fits.
    public func ruleWithoutData(for event: Event) -> EventRule? {
        for rule in rules {
            if case .data = rule.field { return nil }
            if rule.fits(event) { return rule }
        }
        return nil
    }

    private func redact(_ event: Event, _ field: EventRule.Field) -> Event {
        guard !event.data.isEmpty else { return event }
        var redacted = event
        switch field {
        case .type, .source: redacted.data = [:]
        case .data(let key): redacted.data[key] = nil
        }
        redacted.marks.insert(.redacted)
        return redacted
    }
}
