// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import SystemFacts

/// Real-looking files with random faults. The seed is fixed, so that a failure can be made again.
@Suite("Random faults in applications' files")
struct ApplicationFuzzTests {
    private static let pieces = [
        "[", "]", "[[", "]]>", "<", ">", "</", "/>", "<!", "<!--", "-->", "<![CDATA[", "<?", "?>", "&", "&#", "&#x",
        ";", "&amp;",
        "=", "\\", "\\\\", "\"", "'", "%", "%%", "\n", "\r\n", "\t", "\u{0}", "\u{7F}", "é", "\u{FEFF}", "{", "}", ":",
        ",", " #", "|",
        "@", "_", "-", ".", "..", "/", "xml:lang=", "true", "99999999999999999999", "-1", "Hidden=true\n",
    ].map { Array($0.utf8) }

    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        // Few faults get far into a file, many reach odd combinations.
        for _ in 0..<(Bool.random(using: &generator) ? 1 : Int.random(in: 1...12, using: &generator)) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 0...40, using: &generator))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                bytes.removeSubrange(place..<end)
            case 1:
                bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: place)
            case 2:
                for index in place..<end {
                    bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
            case 3:
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
            case 4:
                if place < bytes.count {
                    bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                }
            default:
                bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    private static let rounds = 5_000

    /// Runs a reader over mutated files and says how many of them it took.
    private func taken(_ seed: UInt64, _ text: String, _ read: ([UInt8]) throws -> Void) -> Int {
        var generator = SeededGenerator(seed: seed)
        let original = Array(text.utf8)
        var count = 0
        let start = ContinuousClock.now
        for _ in 0..<Self.rounds {
            do {
                try read(Self.mutated(original, &generator))
                count += 1
            } catch {
                // Refused, as it may be.
            }
        }
        #expect(ContinuousClock.now - start < .seconds(120))
        return count
    }

    private func hasNUL(_ texts: [String?]) -> Bool {
        texts.contains { $0?.utf8.contains(0) ?? false }
    }

    @Test("desktop entries never trap, and give no text with a NUL")
    func desktopEntries() {
        let locales = ["de_DE@euro", "pt_BR"].compactMap { LocaleName($0) }
        let count = taken(1, DesktopEntryTests.editor) { bytes in
            let entry = try DesktopEntry(KeyFile(bytes), id: "a.b", path: "/a.b", locales: locales)
            #expect(!hasNUL([entry.name, entry.comment, entry.icon, entry.tryExec] + entry.exec + entry.keywords))
            #expect(entry.problems.count <= KeyFile.maximumProblemCount)
        }
        #expect((100..<Self.rounds).contains(count))
    }

    @Test("AppStream metadata never traps, and gives no text with a NUL")
    func appStream() {
        let locales = ["de_DE"].compactMap { LocaleName($0) }
        let count = taken(2, AppStreamTests.editor) { bytes in
            let component = try AppStreamComponent(bytes)
            #expect(
                !hasNUL([component.id, component.type, component.name.text(for: locales), component.contentRating]))
            #expect(!hasNUL(Array(component.addresses.keys) + Array(component.addresses.values)))
        }
        #expect((100..<Self.rounds).contains(count))
    }

    @Test("Flatpak's metadata never traps, and gives no other instance than a number")
    func flatpak() {
        let count = taken(3, SandboxFactsTests.flatpakInfo) { bytes in
            let facts = FlatpakFacts(try KeyFile(bytes), application: "a.b")
            #expect(facts.instanceID.map { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } } ?? true)
            #expect(!hasNUL(facts.permissions.flatMap(\.values)))
        }
        #expect(count == Self.rounds)
    }

    @Test("snap metadata never traps")
    func snap() {
        let count = taken(4, SandboxFactsTests.snapMetadata) { bytes in
            #expect(SnapMetadata(String(decoding: bytes, as: UTF8.self)).values.count <= 5)
        }
        #expect(count == Self.rounds)
    }

    @Test("bubblewrap's numbers never trap")
    func bubblewrap() {
        let text =
            "{\n    \"child-pid\": 4711,\n    \"x\": [1, {\"y\": \"z\\\"\"}],\n    \"pid-namespace\": 4026532500\n}\n"
        var numbers: Set<Int64?> = []
        _ = taken(5, text) { numbers.insert(JSONNumber.member("child-pid", of: $0)) }
        #expect(numbers.contains(nil))
        #expect(numbers.contains(4711))
    }

    @Test("names of locales and days never trap")
    func names() {
        _ = taken(6, "sr_RS.UTF-8@latin") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            for name in [LocaleName(text), LocaleName(languageTag: text)].compactMap(\.self) {
                #expect(LocaleName(name.description) == name)
                #expect(name.fallbacks.first == name)
            }
            #expect(CalendarDay(text) == nil)
        }
        _ = taken(7, "2024-05-31T10:00:00Z") { bytes in
            #expect(CalendarDay(String(decoding: bytes, as: UTF8.self)).map { $0.description.utf8.count == 10 } ?? true)
        }
    }
}
