// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@Suite("A filter")
struct EventMatcherTests {
    private func event(_ text: String = "", at microseconds: Int64 = 1_700_000_000_000_000) throws -> Event {
        Event(
            id: EventID(high: 7, low: 7), timestamp: try Timestamp(microseconds: microseconds),
            type: try Name("app.Launch"), source: try Name("com.example.App"),
            data: ["Key": .array([.integer(12), .dictionary(["inner": .text(text)])]), "bytes": .bytes([0x61])])
    }

    private func fits(_ event: Event, _ change: (inout EventFilter) throws -> Void) rethrows -> Bool {
        var filter = EventFilter()
        try change(&filter)
        return EventMatcher(filter).matches(event)
    }

    @Test("lets through what fits each of its parts")
    func parts() throws {
        let event = try event()
        let next = try Timestamp(microseconds: event.timestamp.microseconds + 1)
        #expect(fits(event) { _ in })
        #expect(fits(event) { $0.start = event.timestamp })
        #expect(!fits(event) { $0.start = next })
        #expect(fits(event) { $0.end = next })
        #expect(!fits(event) { $0.end = event.timestamp })
        #expect(try fits(event) { $0.type = try Name("app.Launch") })
        #expect(try !fits(event) { $0.type = try Name("app.launch") })
        #expect(fits(event) { $0.typePrefix = "app." })
        #expect(!fits(event) { $0.typePrefix = "App" })
        #expect(try fits(event) { $0.source = try Name("com.example.App") })
        #expect(try !fits(event) { $0.source = try Name("com.example") })
        #expect(!fits(event) { ($0.typePrefix, $0.text) = ("app.", "nowhere") })
    }

    @Test("finds an id among thousands, and none in an empty list")
    func ids() throws {
        let event = try event()
        let others = (0..<10_000).map { EventID(high: 8, low: $0) }
        #expect(!fits(event) { $0.ids = others })
        #expect(fits(event) { $0.ids = others + [event.id, event.id] })
        #expect(!fits(event) { $0.ids = [] })
    }

    @Test(
        "finds a text regardless of case in type, source and texts of data, not in keys, numbers and bytes",
        arguments: [
            ("", true), ("LAUNCH", true), ("com.EXAMPLE", true), ("h\u{E4}user", true), ("H\u{C4}USER", true),
            ("e\u{301}", true),
            ("\u{E9}", false), ("r am see", true), ("see ", false), ("Key", false), ("inner", false), ("12", false),
            ("launchcom", false), ("app.Launch and more than that", false),
        ])
    func text(text: String, isFound: Bool) throws {
        #expect(fits(try event("Cafe\u{301} der H\u{C4}user am See")) { $0.text = text } == isFound)
    }
}
