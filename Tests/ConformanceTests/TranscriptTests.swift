// SPDX-License-Identifier: MIT

import Testing

extension ConformanceTests {
    /// The tests' own way of comparing what differs.
    @Suite("Transcripts")
    struct TranscriptTests {
        @Test("a text is itself, and no other is")
        func plain() {
            #expect(Transcript("a (b)\nc").matches("a (b)\nc\n"))
            #expect(Transcript("a (b)\nc").matches("a (b)\nc"))
            #expect(!Transcript("a (b)\nc").matches("a (b)\nc\nd\n"))
            #expect(!Transcript("a (b)\nc").matches("a b\nc\n"))
            #expect(!Transcript("c").matches("b\nc\n"))
            #expect(Transcript("").matches(""))
            #expect(!Transcript("").matches("a\n"))
        }

        @Test("three dots stand for a part of a line, and alone for lines")
        func dots() {
            #expect(Transcript("pid …, done").matches("pid 42, done\n"))
            #expect(!Transcript("pid …, done").matches("pid 42,\n done\n"))
            #expect(Transcript("a\n…\nz").matches("a\nz\n"))
            #expect(Transcript("a\n…\nz").matches("a\nb\nc\nz\n"))
            #expect(!Transcript("a\n…\nz").matches("a\nb\n"))
            #expect(!Transcript("a\n…\nz").matches("b\nz\n"))
        }
    }
}
