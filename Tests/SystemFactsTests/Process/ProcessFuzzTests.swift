// SPDX-License-Identifier: MIT

import Foundation
import SystemFacts
import TestSupport
import Testing

@Suite("Random faults in files of processes", .timeLimit(.minutes(5)))
struct ProcessFuzzTests {
    @Test("5,000 rounds of garbage in every file never trap", arguments: [1, 2] as [UInt64])
    func garbage(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tree = try ProcTree()
        let names = ProcTree.files.keys.filter { !$0.contains("/fd/") }.sorted()
        var read = 0
        var refused = 0
        for _ in 0..<2_500 {
            let name = try #require(names.randomElement(using: &random))
            let text = try #require(ProcTree.files[name])
            try tree.write(Data(Self.garbled(Array(text.utf8), using: &random)), to: name)
            do {
                let handle = try tree.handle()
                let previous = try PerformanceReading.read(handle)
                if let other = names.randomElement(using: &random), let text = ProcTree.files[other] {
                    try tree.write(Data(Self.garbled(Array(text.utf8), using: &random)), to: other)
                }
                let status = try ProcessStatus.read(handle)
                _ = status.controlGroup.value?.unit?.applicationID
                _ = status.environment.value.map(MessageLocale.init)
                let sample = PerformanceSample(previous: previous, current: try PerformanceReading.read(handle))
                #expect(sample.cpuPercent.map { $0 >= 0 && $0.isFinite } ?? true)
                #expect(sample.cpuPercentTotal.map { (0...100).contains($0) } ?? true)
                read += 1
            } catch let error as FactError {
                #expect(error.code == .malformed || error.code == .processGone)
                refused += 1
            }
            _ = SystemStatus.read(from: tree.proc)
            if Bool.random(using: &random) {
                try tree.write(Data(text.utf8), to: name)
            }
        }
        #expect(read > 0 && refused > 0)
    }

    /// The text with some of its bytes cut, doubled or replaced, or bytes of no meaning.
    private static func garbled(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes = []
        case 1: bytes = (0..<Int.random(in: 0..<300, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        case 2: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        case 3: bytes.removeFirst(Int.random(in: 0...bytes.count, using: &random))
        case 4: bytes = Array(repeating: bytes, count: 200).flatMap(\.self)
        default: break
        }
        let pieces = ["99999999999999999999", "18446744073709551615", "-1", "\n", "\0", ")", " ", ":", "=", "é", "kB"]
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            let end = Int.random(in: at...min(bytes.count, at + 4), using: &random)
            bytes.replaceSubrange(at..<end, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
        }
        return bytes
    }
}
