// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts
import Testing

@testable import SentinelService

@Suite("Open pairs")
struct OpenPairsTests {
    private func key(_ source: String, _ scene: String = "") throws -> PairKey {
        PairKey(pair: .scene, source: try Name(source), client: ":1.1", scene: DataKey(scene))
    }

    private func id(_ number: Int) -> EventID { EventID(high: 1, low: UInt64(number)) }

    @Test("an event is open until its partner comes, or another in its place")
    func partners() throws {
        var pairs = OpenPairs()
        let key = try key("a")
        #expect(pairs.open(key, id(1)).earlier == nil)
        #expect(pairs.open(key, id(2)).earlier == id(1))
        #expect(pairs.all == [id(2)])
        #expect(pairs.drop(id(1)) == nil)
        #expect(pairs.drop(id(2)) == key)
        #expect(pairs.close(key) == nil)
        pairs.reopen(key, id(2))
        pairs.reopen(key, id(3))
        #expect(pairs.keys(of: ":1.1", source: key.source) == [key])
        #expect(pairs.close(key) == id(2))
        #expect(pairs.all.isEmpty && pairs.keys(of: ":1.1", source: key.source).isEmpty)
    }

    @Test("a source has 64 at most, and the oldest goes")
    func sourceLimit() throws {
        var pairs = OpenPairs()
        _ = pairs.open(try key("other"), id(0))
        for number in 1...64 {
            #expect(pairs.open(try key("a", "\(number)"), id(number)).excess.isEmpty)
        }
        #expect(pairs.open(try key("a", "65"), id(65)).excess == [id(1)])
        #expect(pairs.open(try key("a", "66"), id(66)).excess == [id(2)])
        #expect(pairs.open(try key("a", "66"), id(67)).excess == [])
        #expect(pairs.all.count == 65 && pairs.contains(id(0)))
    }

    @Test("there are 10 000 at most, and the oldest goes")
    func limit() throws {
        var pairs = OpenPairs()
        for number in 0..<10_000 {
            #expect(pairs.open(try key("s\(number)"), id(number)).excess.isEmpty)
        }
        #expect(pairs.open(try key("more"), id(10_000)).excess == [id(0)])
        #expect(pairs.all.count == 10_000)
    }
}
