// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces

/// A value of each structure, with text beyond ASCII, empty containers and variants of structures in it.
enum Samples {
    static let attributes: [Key: Value] = [
        "choices": .array(pairs), "max": .variant(.double(-0.5)), "title": .string("Größe é"), "unit": .string(""),
    ]
    static let item = Item(
        id: "memory", kind: "integer", title: "Memory", value: .int64(.min), attributes: attributes)
    static let section = Section(
        id: "s", title: "日本", items: [item, Item(id: "", kind: "", title: "", value: .string(""), attributes: [:])],
        attributes: ["footer": .string("…")])
    static let event = Event(
        id: "0199", timestamp: .max, type: "app.launch", source: "com.example", duration: 0.25,
        attributes: ["data": .options(["n": .uint64(.max)]), "open": .boolean(true)])

    static let structures: [any (WireCodable & Hashable)] = [
        ApplicationEntry(id: "com.example.App", object: "/a/b", name: "App", running: true, attributes: attributes),
        ApplicationInstance(uniqueName: ":1.5", processID: .max, attributes: [:]),
        event,
        EventRecord(
            type: "t", source: "s", timestamp: -1, duration: -.greatestFiniteMagnitude, options: ["id": .string("x")]),
        item,
        LayerValue(layer: "stored", value: .bytes([0, 255]), attributes: attributes),
        MetricEntry(
            name: "m", description: "d", parameters: [MetricParameter(name: "since", type: "integer")]),
        MetricParameter(name: "n", type: "text"),
        PerformancePoint(time: 1, cpuPercent: 99.5, memoryBytes: .max, threads: 3),
        PreferenceChange(change: 7, time: 8, key: "k", attributes: ["old": .boolean(false)]),
        PreferenceDeclaration(key: "k", name: "K", defaultValue: .double(1), attributes: attributes),
        PreferenceDifference(key: "k", values: ["new": .string("v")]),
        PreferenceEntry(
            key: "k", name: "K", kind: "toggle", value: .boolean(true), defaultValue: .boolean(false), attributes: [:]),
        RuleEntry(action: "deny", field: "type", pattern: "*"),
        section,
        SeriesEntry(start: 1, group: "g", count: 2, duration: 3),
        SessionEntry(source: "s", start: 1, end: 2, eventCount: 3, busySeconds: 4),
        ToolDeclaration(id: "t", name: "T", kind: "table", screen: [section], attributes: [:]),
        ToolEntry(id: "t", name: "T", kind: "text", attributes: ["live": .boolean(true)]),
        TopEntry(name: "n", count: 1, duration: 2),
        TriggerEntry(id: "1", application: "com.example.App", kind: "file", attributes: ["path": .string("/")]),
    ]

    static let signals: [any (SignalContents & Hashable)] = [
        Events1.Forgotten(since: 5), Events1.Recorded(subscription: 1, events: [event, event], dropped: 2),
        Notification.Trigger(applicationID: ""), Performance1.Sampled(watch: 1, sample: attributes),
        Preferences1.Changed(keys: ["k"], values: ["k": .int64(1)]), Preferences1.Declared(keys: []),
        Preferences1.Removed(keys: ["a", "b"]), Sentinel1.Dismissed(applicationID: "a.b"),
        Sentinel1.Presented(applicationID: "a.b"), Sentinel1.Ready(),
        Sentinel1.Triggered(applicationID: "a.b", triggerID: "1", details: attributes),
        Tools1.Changed(declared: ["a"], removed: ["b"]), Tools1.ItemChanged(tool: "t", items: ["i"]),
    ]

    private static let pairs: ArrayValue = {
        do {
            return try ArrayValue(
                [
                    .structure([.variant(.int64(1)), .string("one")]),
                    .structure([.variant(.int64(2)), .string("two")]),
                ],
                elementType: "(vs)")
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}
