// SPDX-License-Identifier: MIT

import Testing

@testable import SentinelService

@Suite("Work line")
struct WorkLineTests {
    /// What happens, in order. The line is confined to one thread, here the test's.
    private final class Diary {
        var entries: [String] = []
        private var overs: [WorkLine.Over] = []

        /// Keeps what ends a work.
        func keep(_ over: @escaping WorkLine.Over) {
            overs.append(over)
        }

        /// Ends the work that was kept first.
        func endFirst() {
            overs.removeFirst()()
        }
    }

    @Test("a work that is not over holds those behind it, and only those")
    func order() {
        let diary = Diary()
        let line = WorkLine { diary.entries.append("empty") }
        for name in ["a", "b", "c"] {
            line.add { over in
                diary.entries.append(name)
                diary.keep(over)
            }
        }
        #expect(diary.entries == ["a"])
        diary.endFirst()
        #expect(diary.entries == ["a", "b"])
        diary.endFirst()
        diary.endFirst()
        #expect(diary.entries == ["a", "b", "c", "empty"])
    }

    @Test("works that are over at once need no stack, however many wait")
    func depth() {
        let diary = Diary()
        var count = 0
        let line = WorkLine { diary.entries.append("empty") }
        line.add { diary.keep($0) }
        for _ in 0..<200_000 {
            line.add { over in
                count += 1
                over()
            }
        }
        #expect(count == 0)
        diary.endFirst()
        #expect(count == 200_000)
        #expect(diary.entries == ["empty"])
    }

    @Test("work that is added by work comes behind what waits")
    func nested() {
        let diary = Diary()
        let line = WorkLine {}
        line.add { diary.keep($0) }
        line.add { over in
            diary.entries.append("a")
            line.add { over in
                diary.entries.append("c")
                over()
            }
            over()
        }
        line.add { over in
            diary.entries.append("b")
            over()
        }
        diary.endFirst()
        #expect(diary.entries == ["a", "b", "c"])
    }
}
