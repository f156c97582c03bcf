// SPDX-License-Identifier: MIT

import Testing

extension ConformanceTests {
    /// The tests' own way of comparing what differs.
    @Suite("Transcripts")
    struct TranscriptTests {
        @Test("a text is itself, and no other is")
        func plain() {
            #expect(Transcript("a (b)\nc").difference(from: "a (b)\nc\n") == nil)
            #expect(Transcript("a (b)\nc").difference(from: "a (b)\nc") == nil)
            #expect(Transcript("a (b)\nc").difference(from: "a (b)\nc\nd\n") != nil)
            #expect(Transcript("a (b)\nc").difference(from: "a b\nc\n") != nil)
            #expect(Transcript("c").difference(from: "b\nc\n") != nil)
            #expect(Transcript("").difference(from: "") == nil)
            #expect(Transcript("").difference(from: "a\n") != nil)
        }

        @Test("three dots stand for a part of a line, and alone for lines")
        func dots() {
            #expect(Transcript("pid …, done").difference(from: "pid 42, done\n") == nil)
            #expect(Transcript("pid …, done").difference(from: "pid 42,\n done\n") != nil)
            #expect(Transcript("a\n…\nz").difference(from: "a\nz\n") == nil)
            #expect(Transcript("a\n…\nz").difference(from: "a\nb\nc\nz\n") == nil)
            #expect(Transcript("a\n…\nz").difference(from: "a\nb\n") != nil)
            #expect(Transcript("a\n…\nz").difference(from: "b\nz\n") != nil)
        }

        @Test("a difference names the line that is not as it is to be")
        func difference() {
            let text = Transcript("a\n…\nc 1\nd").difference(from: "a\nb\nc 2\nd\n")
            #expect(text == "line 3 is to be c 1, but is b\na\nb\nc 2\nd\n")
            #expect(Transcript("a").difference(from: "a\nb\n") == "line 2 is to be no more, but is b\na\nb\n")
            #expect(Transcript("a\nb").difference(from: "a\n") == "line 2 is to be b, but is \na\n")
        }
    }
}
