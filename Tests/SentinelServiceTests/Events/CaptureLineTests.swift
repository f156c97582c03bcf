// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelService

@Suite("Capture line")
struct CaptureLineTests {
    /// A store that is full for a while, and what came of it. Confined to the test's thread.
    private final class Diary: @unchecked Sendable {
        var isFull = true
        var stored: [Int] = []
        var failures: [Int: SentinelError.Code] = [:]
        var scheduled: [@Sendable () -> Void] = []

        func add(_ number: Int, to line: CaptureLine) {
            line.add { [self] done in
                guard !isFull else { return done(.failure(SentinelError(.limitsExceeded, "full"))) }
                stored.append(number)
                done(.success(()))
            } completion: { [self] result in
                if case .failure(let error) = result {
                    failures[number] = error.code
                }
            }
        }
    }

    @Test("what finds the store full is tried again, in its order")
    func order() {
        let diary = Diary()
        let line = CaptureLine { diary.scheduled.append($1) }
        for number in 0..<3 {
            diary.add(number, to: line)
        }
        #expect(diary.stored.isEmpty && diary.failures.isEmpty)
        #expect(diary.scheduled.count == 1)
        diary.scheduled.removeFirst()()
        diary.isFull = false
        // One that comes now does not overtake those that wait.
        diary.add(3, to: line)
        #expect(diary.stored.isEmpty)
        diary.scheduled.removeFirst()()
        #expect(diary.stored == [0, 1, 2, 3])
        #expect(diary.scheduled.isEmpty)
        diary.add(4, to: line)
        #expect(diary.stored.last == 4)
    }

    @Test("it is given up in the end, and so is what is too much")
    func bounds() {
        let diary = Diary()
        let line = CaptureLine { diary.scheduled.append($1) }
        for number in 0...CaptureLine.limit {
            diary.add(number, to: line)
        }
        #expect(diary.failures == [CaptureLine.limit: .limitsExceeded])
        for _ in 0..<CaptureLine.patience {
            diary.scheduled.removeFirst()()
        }
        #expect(diary.failures[0] == .limitsExceeded)
        #expect(diary.failures[1] == nil)
        #expect(!diary.scheduled.isEmpty)
    }
}
