// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import SentinelModels
import TestSupport
import Testing

@testable import SentinelService

@Suite("Lines of files", .timeLimit(.minutes(5)))
struct FileLinesTests {
    private typealias Outcome = Result<Int, SentinelError>

    private static func number(_ outcome: Outcome) -> Int? {
        if case .success(let number) = outcome { number } else { nil }
    }

    @Test("a file that hangs keeps nobody waiting for another, and is given up after its time")
    func hanging() async throws {
        let loop = try EventLoop.startThread(named: "files")
        let lines = FileLines("test", within: .seconds(4), loop: loop)
        let gate = DispatchSemaphore(value: 0)
        let (dead, fine, begun) = (Recorder<Outcome>(), Recorder<Outcome>(), Recorder<Int>())
        loop.enqueue {
            lines.perform(with: "/dead") {
                gate.wait()
                return .success(1)
            } completion: {
                dead.append($0)
            }
            lines.perform(with: "/dead", isWriting: true) {
                begun.append(2)
                return .success(2)
            } completion: {
                dead.append($0)
            }
            lines.perform(with: "/fine") {
                .success(3)
            } completion: {
                fine.append($0)
            }
        }
        #expect(try await fine.wait().map { Self.number($0) } == [3])
        #expect(dead.count == 0)
        for (index, outcome) in try await dead.wait(for: 2).enumerated() {
            guard case .failure(let error) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(error.code == .timeout)
            #expect(error.message.hasSuffix("may be written") == (index == 1))
        }
        gate.signal()
        // What was given up while it waited is never begun; what comes later is.
        loop.enqueue {
            lines.perform(with: "/dead") {
                .success(4)
            } completion: {
                dead.append($0)
            }
        }
        try await dead.wait(for: 3)
        #expect(begun.count == 0)
        #expect(dead.count == 3)
        loop.stop()
    }

    @Test("what is done with one file is done one after the other")
    func order() async throws {
        let loop = try EventLoop.startThread(named: "files")
        let lines = FileLines("test", within: .seconds(3600), loop: loop)
        let done = Recorder<Int>()
        loop.enqueue {
            for number in 0..<50 {
                lines.perform(with: "/file") {
                    done.append(number)
                    return .success(number)
                } completion: { (_: Outcome) in
                    done.append(number + 1000)
                }
            }
        }
        try await done.wait(for: 100)
        #expect(done.elements.filter { $0 < 1000 } == Array(0..<50))
        #expect(done.elements.filter { $0 >= 1000 } == Array(1000..<1050))
        loop.stop()
    }

    @Test("only so much waits for one file")
    func full() async throws {
        let loop = try EventLoop.startThread(named: "files")
        let lines = FileLines("test", within: .seconds(3600), loop: loop)
        let gate = DispatchSemaphore(value: 0)
        let outcomes = Recorder<Outcome>()
        loop.enqueue {
            for number in 0...FileLines.longest + 1 {
                lines.perform(with: "/file") {
                    if number == 0 { gate.wait() }
                    return .success(number)
                } completion: {
                    outcomes.append($0)
                }
            }
        }
        try await outcomes.wait()
        #expect(outcomes.takeAll().map { Self.number($0) } == [nil])
        gate.signal()
        try await outcomes.wait(for: FileLines.longest + 1)
        loop.stop()
    }

    @Test("what hangs keeps nobody alive once it is stopped")
    func stop() async throws {
        final class Owner: Sendable {}
        let loop = try EventLoop.startThread(named: "files")
        let lines = FileLines("test", within: .seconds(3600), loop: loop)
        let gate = DispatchSemaphore(value: 0)
        weak let owner: Owner?
        do {
            let held = Owner()
            owner = held
            loop.enqueue {
                for _ in 0..<2 {
                    lines.perform(with: "/file") {
                        gate.wait()
                        return .success(0)
                    } completion: { (_: Outcome) in
                        withExtendedLifetime(held) {}
                    }
                }
            }
        }
        loop.enqueue { lines.stop() }
        try await waitUntil("nothing holds the owner") { owner == nil }
        gate.signal()
        gate.signal()
        loop.stop()
    }
}
