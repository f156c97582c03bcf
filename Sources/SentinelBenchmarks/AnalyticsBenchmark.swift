// SPDX-License-Identifier: MIT

import BenchmarkClient

/// What it costs to ask about many events, beside few of them and beside a property.
///
/// Two services run, whose stores differ in how many events they hold; they are asked in turn.
struct AnalyticsBenchmark: Benchmark {
    let name = "analytics"
    let abstract = "summaries of many events beside those of few and beside a Get; queries and reports"

    private let few = 100_000

    func run(in context: BenchmarkContext) throws -> BenchmarkReport {
        let few = try FilledStore(eventCount: few, in: context)
        defer { few.end() }
        let many = try FilledStore(eventCount: context.events, in: context)
        defer { many.end() }

        var summaries = Summaries(events: context.events, few: self.few)
        var questions = Self.questions(events: context.events, few: self.few)
        // The first round warms up.
        for round in 0...context.rounds {
            context.report(progress: "analytics: round \(round) of \(context.rounds)")
            let figures = try Self.measureSummaries(few, many)
            if round > 0 {
                summaries.append(figures)
            }
            for index in questions.indices {
                let (few, many) = try Self.measure(questions[index], few, many)
                if round > 0 {
                    questions[index].comparison.append(baseline: few, sentinel: many)
                }
            }
        }

        var report = BenchmarkReport(table: Table(headings: EventsBenchmark.headings))
        for comparison in summaries.all + questions.map(\.comparison) {
            comparison.append(to: &report)
        }
        report.notes = [
            "\(context.rounds) rounds; figures are medians of the rounds' medians, ratios those of the rounds. The events "
                + "lie evenly over the \(FilledStore.days) days of UTC before today, and all windows are of such days.",
            "A new day is one of which nothing is known since an event was recorded in it, together with one in every "
                + "other day; a day just written to is asked for directly after an event in it; of the same day "
                + "everything is known. Each and a Get of a property come in turn, of the service with more events.",
            "Query counts the events of each type in a range of timestamps, the metric adds up quarters of an hour by "
                + "source. Reports are HTML. Sessions gives the newest 100 and reads all of their events: where events "
                + "lie close, a session begins long before the day.",
        ]
        return report
    }

    // MARK: - DailySummary

    /// What DailySummary takes.
    private struct Summaries {
        var fewBesideMany: Comparison
        var newDay = Comparison(
            label: "DailySummary of a new day, beside a Get, µs", decimals: 1, bar: .atMost(10, decimals: 0))
        var writtenDay = Comparison(
            label: "DailySummary of a day just written to, beside a Get, µs", decimals: 1,
            bar: .atMost(10, decimals: 0))
        var sameDay = Comparison(
            label: "DailySummary of the same day, beside a Get, µs", decimals: 1, bar: .atMost(2, decimals: 0))

        init(events: Int, few: Int) {
            fewBesideMany = Comparison(
                label: "DailySummary with \(events) events, beside \(few), µs", decimals: 1, bar: growth)
        }

        var all: [Comparison] { [fewBesideMany, newDay, writtenDay, sameDay] }

        mutating func append(_ figures: Figures) {
            let median = { (figures: [Double]) in Statistics(figures).median }
            fewBesideMany.append(baseline: median(figures.few), sentinel: median(figures.many))
            newDay.append(baseline: median(figures.gets), sentinel: median(figures.many))
            writtenDay.append(baseline: median(figures.getsAfterWrites), sentinel: median(figures.written))
            sameDay.append(baseline: median(figures.getsBesideKnown), sentinel: median(figures.known))
        }
    }

    /// What one round found, in microseconds.
    private struct Figures {
        var few: [Double] = []
        var many: [Double] = []
        var gets: [Double] = []
        var written: [Double] = []
        var getsAfterWrites: [Double] = []
        var known: [Double] = []
        var getsBesideKnown: [Double] = []
    }

    private static func measureSummaries(_ few: FilledStore, _ many: FilledStore) throws -> Figures {
        let days = 0..<FilledStore.days
        var figures = Figures()
        for store in [few, many] {
            try store.record(inDays: days)
        }
        for day in days {
            try inTurn(
                day, { figures.few += try few.summarize(day: day) }, { figures.many += try many.summarize(day: day) },
                { figures.gets += try many.get() })
        }
        for day in days {
            try many.record(inDays: day..<day + 1)
            // What was written is put away meanwhile: who comes second finds less of that.
            try inTurn(
                day, { figures.written += try many.summarize(day: day) },
                { figures.getsAfterWrites += try many.get() })
        }
        for index in days {
            try inTurn(
                index, { figures.known += try many.summarize(day: days.lowerBound) },
                { figures.getsBesideKnown += try many.get() })
        }
        return figures
    }

    // MARK: - Other questions

    /// What is asked of both stores.
    private struct Question {
        /// Calls in a round.
        let count: Int
        /// What the microseconds are divided by.
        let unit: Double
        /// Asks a store about a day, or all of them, and returns the microseconds.
        let ask: (FilledStore, Int) throws -> [Double]
        var comparison: Comparison
    }

    private static func questions(events: Int, few: Int) -> [Question] {
        let quick = { (label: String, ask: @escaping (FilledStore, Int) throws -> [Double]) in
            Question(
                count: FilledStore.days, unit: 1, ask: ask,
                comparison: Comparison(label: label + ", µs", decimals: 1, bar: growth))
        }
        let slow = { (label: String, ask: @escaping (FilledStore, Int) throws -> [Double]) in
            Question(count: 3, unit: 1_000, ask: ask, comparison: Comparison(label: label + ", ms", decimals: 2))
        }
        return [
            quick("Top types of a day") { try $0.ask(benchmark_top_types, of: $0.day($1)) },
            quick("Top sources of a day") { try $0.ask(benchmark_top_sources, of: $0.day($1)) },
            quick("Series by hour of a day") { try $0.ask(benchmark_series_by_hour, of: $0.day($1)) },
            quick("Heatmap of \(FilledStore.days) days") { store, _ in
                try store.ask(benchmark_heatmap, of: store.month)
            },
            slow("Query of a day") { try $0.ask(benchmark_query, of: $0.day($1)) },
            slow("RunMetric of a day") { try $0.ask(benchmark_metric, of: $0.day($1)) },
            slow("Report on a day") { try $0.ask(benchmark_report, of: $0.day($1)) },
            slow("Report on \(FilledStore.days) days") { store, _ in
                try store.ask(benchmark_report, of: store.month)
            },
            slow("Sessions of a day") { try $0.ask(benchmark_sessions, of: $0.day($1)) },
        ]
    }

    private static func measure(
        _ question: Question, _ few: FilledStore, _ many: FilledStore
    ) throws -> (few: Double, many: Double) {
        var (ofFew, ofMany): ([Double], [Double]) = ([], [])
        for day in 0..<question.count {
            try inTurn(
                day, { ofFew += try question.ask(few, day) }, { ofMany += try question.ask(many, day) })
        }
        return (Statistics(ofFew).median / question.unit, Statistics(ofMany).median / question.unit)
    }

    /// How much longer answers may take with more events.
    private static var growth: Bar { .atMost(1.3, decimals: 1) }

    /// Takes turns, every other time the other way round: who comes later may find a warmer machine.
    private static func inTurn(_ index: Int, _ turns: (() throws -> Void)...) throws {
        for turn in index.isMultiple(of: 2) ? turns : turns.reversed() {
            try turn()
        }
    }
}
