// SPDX-License-Identifier: MIT

public import SentinelModels
public import SentinelPersistence

extension Analytics {
    /// Summarizes a day.
    ///
    /// - Parameters:
    ///   - day: as `2026-03-29`; `""` for today.
    ///   - zone: name of the time zone; `""` for the session's.
    ///   - cancellation: ends it early; nil if nothing does.
    ///   - completion: may be called before this returns, where nothing has been written since it was last asked for.
    ///     `invalidArgs` for what is no day or zone.
    public func dailySummary(
        of day: String, in zone: String, cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<DailySummary>
    ) {
        let now = clock.now()
        if let known = knownSummary(of: day, in: zone, now) { return completion(.success(known)) }
        let making = cache.begin()
        store.summarize(cancellation: cancellation) { [zones] reading in
            let zone = try zones.zone(zone)
            let day = day.isEmpty ? zone.day(at: now.microseconds) : try CalendarDay(parsing: day)
            let window = zone.start(of: day)..<zone.start(of: day.adding(days: 1))
            try Self.take(now, into: &reading, for: window)
            let summary = try reading.summary(of: window)
            // What is open lasts longer with each moment, and a day to come is present once.
            let isPresent = window.contains(now.microseconds)
            let isLasting =
                try window.upperBound <= now.microseconds || isPresent && !reading.hasOpenEvents()
            return (DailySummary(day: day, zone: zone.name, summary: summary), isLasting)
        } completion: { [cache] (result: Result<(summary: DailySummary, isLasting: Bool), SentinelError>) in
            switch result {
            case .success(let made):
                cache.end(making, with: made.isLasting ? made.summary : nil)
                completion(.success(made.summary))
            case .failure(let error):
                cache.end(making, with: nil)
                completion(.failure(error))
            }
        }
    }

    private func knownSummary(of day: String, in zone: String, _ now: Timestamp) -> DailySummary? {
        guard let zone = zones.knownName(of: zone) else { return nil }
        if day.isEmpty { return cache.summary(at: now.microseconds, in: zone) }
        do throws(SentinelError) {
            return cache.summary(of: try CalendarDay(parsing: day), in: zone)
        } catch {
            // It is said where the zone is found wrong first.
            return nil
        }
    }

    /// Summarizes a window.
    ///
    /// - Parameters:
    ///   - filter: which events are meant; a start or end of it narrows the window.
    ///   - completion: `notSupported` for a filter with a text.
    public func summary(
        of window: Range<Int64>, filter: EventFilter = EventFilter(), cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<Summary>
    ) {
        guard filter.text == nil else {
            return completion(.failure(SentinelError(.notSupported, "text: summaries cannot be filtered by text")))
        }
        // Whether open events count is for what is left of the window to say.
        let start = max(window.lowerBound, filter.start?.microseconds ?? .min)
        let window = start..<max(min(window.upperBound, filter.end?.microseconds ?? .max), start)
        read(window, cancellation) { reading in
            try reading.summary(of: window, filter)
        } completion: {
            completion($0)
        }
    }
}

extension SummaryReading {
    /// Summarizes a window of which all events are meant.
    func summary(of window: Range<Int64>) throws -> Summary {
        try summary(of: window, RollupReader.Filter(), hasSessions: true)
    }

    fileprivate func summary(of window: Range<Int64>, _ filter: EventFilter) throws -> Summary {
        var sourceAlone = EventFilter()
        sourceAlone.source = filter.source
        let hasSessions = filter == sourceAlone
        guard let numbers = try numbers(of: filter) else {
            var empty = Summary(window: window)
            empty.sessionCount = hasSessions ? 0 : nil
            return empty
        }
        guard let ids = filter.ids else {
            return try summary(of: window, numbers, hasSessions: hasSessions)
        }
        return try summary(of: window, ids, numbers)
    }

    private func summary(
        of window: Range<Int64>, _ filter: RollupReader.Filter, hasSessions: Bool
    ) throws -> Summary {
        let (start, end) = (window.lowerBound, window.upperBound)
        var summary = Summary(window: window)
        for (number, tally) in try rollups.tallies(byTypeFrom: start, to: end, filter: filter) {
            let amount = Amount(tally)
            summary.types[try name(number, of: .type)] = amount
            summary.total = summary.total + amount
        }
        let sources = try rollups.tallies(bySourceFrom: start, to: end, filter: filter)
        summary.applicationCount = UInt64(sources.count { $0.value.count > 0 })
        summary.sessionCount =
            hasSessions
            ? try rollups.sessionCounts(from: start, to: end, sources: filter.sources)
                .reduce(0) { $0 + UInt64(clamping: $1.value) } : nil
        return summary
    }

    private func summary(
        of window: Range<Int64>, _ ids: [EventID], _ filter: RollupReader.Filter
    ) throws -> Summary {
        var summary = Summary(window: window)
        summary.sessionCount = nil
        var types: [Int64: Amount] = [:]
        var sources: Set<Int64> = []
        for event in try events(ids) where filter.allows(event.pair) {
            let isCounted = window.contains(event.start)
            let duration = min(event.end, window.upperBound) - max(event.start, window.lowerBound)
            let amount = Amount(count: isCounted ? 1 : 0, duration: Int128(max(duration, 0)))
            guard amount != Amount() else { continue }
            types[event.pair.type] = (types[event.pair.type] ?? Amount()) + amount
            summary.total = summary.total + amount
            if isCounted {
                sources.insert(event.pair.source)
            }
        }
        for (number, amount) in types {
            summary.types[try name(number, of: .type)] = amount
        }
        summary.applicationCount = UInt64(sources.count)
        return summary
    }
}
