// SPDX-License-Identifier: MIT

import SentinelModels

/// How events come in the places of those that have their ids.
struct EventReplacement: Sendable {
    /// Whose events alone may be replaced; nil for anybody's.
    var source: Name?
    /// Which of the events begin when those began in whose places they come.
    var keptStarts: Set<EventID> = []

    /// Any event is replaced by what comes, as it comes.
    static let anything = EventReplacement()

    /// What a caller may replace.
    init(by caller: EventSources.Caller) {
        source = caller.confinement.map { Name($0) }
    }

    private init() {}

    /// Notes what a caller says of an event: one that is given its duration by its id alone keeps its begin.
    mutating func note(_ options: RecordOptions) {
        if let id = options.id, options.timestamp == nil, options.duration != nil {
            keptStarts.insert(id)
        }
    }
}
