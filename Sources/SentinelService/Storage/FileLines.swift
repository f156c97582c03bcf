// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// Does what may block with files beside the loop: for each file one after the other, several files at a time. A file
/// that takes too long, as one on a network disk that is gone, keeps nobody waiting who asks for others.
///
/// Confined to the loop's thread.
final class FileLines: @unchecked Sendable {
    /// So many files are worked on at a time.
    static let places = 4
    /// So much may wait for one file.
    static let longest = 64

    /// One thing to do with a file.
    private final class Work: @unchecked Sendable {
        /// Begins it; the argument is called when it is over.
        let begin: (@escaping @Sendable () -> Void) -> Void
        /// Whether it has been given up: if it has not begun it never does.
        var isOver = false

        init(_ begin: @escaping (@escaping @Sendable () -> Void) -> Void) {
            self.begin = begin
        }
    }

    private let loop: EventLoop
    private let pool: ReadingPool
    private let deadline: Duration
    /// What waits for each file that is worked on.
    private var lines: [String: Queue<Work>] = [:]
    private var timers: [UInt64: LoopTimer] = [:]
    private var lastNumber: UInt64 = 0

    init(_ label: String, within deadline: Duration = .seconds(5), loop: EventLoop) {
        self.loop = loop
        self.deadline = deadline
        pool = ReadingPool(label, places: Self.places, loop: loop)
    }

    /// Does `body` with a file in its turn, then `completion` with what came of it on the loop's thread: `timeout`
    /// where it has taken too long, `limitsExceeded` where too much waits for the file.
    ///
    /// - Parameter isWriting: whether the file may be another after a timeout.
    func perform<Outcome: Sendable>(
        with path: String, isWriting: Bool = false, _ body: @escaping @Sendable () -> Result<Outcome, SentinelError>,
        completion: @escaping @Sendable (Result<Outcome, SentinelError>) -> Void
    ) {
        guard lines[path, default: Queue()].count < Self.longest else {
            return completion(
                .failure(
                    SentinelError(.limitsExceeded, "\(Self.longest) calls wait for the file of the setting already")))
        }
        lastNumber += 1
        let number = lastNumber
        let work = Work { [pool] over in
            pool.read(body) { [weak self] result in
                self?.finish(number, result, completion)
                over()
            }
        }
        timers[number] = loop.schedule(after: deadline) { [weak self, deadline] in
            work.isOver = true
            let note = isWriting ? "; the value may be written" : ""
            let error = SentinelError(
                .timeout, "the file of the setting has not been answered for within \(deadline)\(note)")
            self?.finish(number, .failure(error), completion)
        }
        if lines[path] == nil {
            lines[path] = Queue()
            begin(work, with: path)
        } else {
            lines[path]?.append(work)
        }
    }

    /// Lets go of what waits and is under way, none of which is completed any more.
    func stop() {
        for timer in timers.values {
            timer.cancel()
        }
        timers.removeAll()
        lines.removeAll()
        pool.stop()
    }

    private func begin(_ work: Work, with path: String) {
        work.begin { [weak self] in self?.serve(path) }
    }

    private func serve(_ path: String) {
        while let next = lines[path]?.popFirst() {
            if next.isOver { continue }
            return begin(next, with: path)
        }
        lines[path] = nil
    }

    private func finish<Outcome>(
        _ number: UInt64, _ result: Result<Outcome, SentinelError>,
        _ completion: @Sendable (Result<Outcome, SentinelError>) -> Void
    ) {
        guard let timer = timers.removeValue(forKey: number) else { return }
        timer.cancel()
        completion(result)
    }
}
