// SPDX-License-Identifier: MIT

import DBus
import SentinelAnalytics
import SentinelInterfaces
import SentinelModels

extension Summary {
    /// The summary as a reply has it.
    func options() throws(DBusError) -> [Key: Value] {
        var options: [Key: Value] = [
            "start": .int64(window.lowerBound), "end": .int64(window.upperBound),
            "counts_by_type": try .named(types.mapValues { .uint64($0.count) }, "t"),
            "durations_by_type": try .named(types.mapValues { .double($0.seconds) }, "d"),
            "total_duration": .double(total.seconds), "event_count": .uint64(total.count),
            "application_count": .uint64(applicationCount),
        ]
        if let sessionCount {
            options["session_count"] = .uint64(sessionCount)
        }
        return options
    }
}

extension DailySummary {
    /// The summary as a reply has it.
    func options() throws(DBusError) -> [Key: Value] {
        var options = try summary.options()
        options["day"] = .string(day.description)
        options["time_zone"] = .string(zone)
        return options
    }
}

extension Trend {
    /// The trend as a reply has it.
    func options() throws(DBusError) -> [Key: Value] {
        [
            "event_count": .uint64(total.count), "mean_event_count": .double(meanCount),
            "total_duration": .double(total.seconds), "mean_total_duration": .double(meanSeconds),
            "by_type": try .named(types.mapValues { .structure([.uint64($0.count), .double($0.mean)]) }, "(td)"),
        ]
    }
}

extension Value {
    /// A dictionary from names, in the order of their bytes.
    fileprivate static func named(_ values: [Name: Value], _ type: ValueType) throws(DBusError) -> Value {
        let entries = values.sorted { $0.key < $1.key }.map {
            DictionaryValue.Entry(key: .string($0.key.text), value: $0.value)
        }
        return .dictionary(try DictionaryValue(entries, keyType: "s", valueType: type))
    }
}

extension SeriesEntry {
    init(_ point: SeriesPoint) {
        self.init(
            start: point.start, group: point.group?.text ?? "", count: point.amount.count,
            duration: point.amount.seconds)
    }
}

extension TopEntry {
    init(_ ranked: RankedName) {
        self.init(name: ranked.name.text, count: ranked.amount.count, duration: ranked.amount.seconds)
    }
}

extension SessionEntry {
    init(_ session: Session) {
        self.init(
            source: session.source.text, start: session.start, end: session.end, eventCount: session.eventCount,
            busySeconds: session.busySeconds)
    }
}
