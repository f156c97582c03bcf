// SPDX-License-Identifier: MIT

import DBus

/// Follows what is at paths: it looks at each once, and again whenever something may have changed there.
///
/// Paths are looked at beside the loop, a few at a time. Confined to the loop's thread.
final class PathWatcher<State: Sendable>: @unchecked Sendable {
    /// Told what is at a path now.
    typealias Follower = (_ path: FilePath, _ state: State) -> Void

    /// So many paths are looked at at a time.
    private static var lookers: Int { 4 }
    /// So long somebody waits for the first look at a path.
    private static var answerLimit: Duration { .seconds(2) }
    /// Changes that come so close to each other are one.
    private static var gathering: Duration { .milliseconds(20) }
    /// A file that is being made, and into which nothing has been written for so long, has been made.
    private static var patience: Duration { .seconds(1) }

    /// Who waits for the first look at a path.
    private struct Waiting {
        let timer: LoopTimer
        var completions: [() -> Void]
    }

    /// Told of each path that has been looked at, the first time too.
    var lookedAt: Follower?

    private let label: String
    private let loop: EventLoop
    private let look: @Sendable (String) -> State
    private let pool: ReadingPool
    private var watch: DirectoryWatch?
    private var problem: String?
    private var wanted: Set<FilePath> = []
    /// The paths that have been looked at.
    private var seen: Set<FilePath> = []
    /// The paths that are being looked at, and whether each has to be once more.
    private var looks: [FilePath: Bool] = [:]
    private var waiting: [FilePath: Waiting] = [:]

    /// Follows nothing yet.
    ///
    /// - Parameter look: tells what is at a path; called on some thread.
    init(_ label: String, on loop: EventLoop, look: @escaping @Sendable (String) -> State) {
        self.label = label
        self.loop = loop
        self.look = look
        pool = ReadingPool(label, places: Self.lookers, loop: loop)
    }

    /// Follows a path: an absolute one without a slash at its end.
    func add(_ path: FilePath) {
        guard wanted.insert(path).inserted else { return }
        startWatch()
        // Once it is watched, it is looked at: nothing can happen in between.
        watch?.add(path)
        if watch == nil {
            read(path)
        }
    }

    /// Follows a path no more.
    func remove(_ path: FilePath) {
        guard wanted.remove(path) != nil else { return }
        watch?.remove(path)
        seen.remove(path)
        answer(path)
    }

    /// Why changes at a path are not noticed at the moment, for people; nil if they are.
    func obstacle(at path: FilePath) -> String? {
        if let problem { return problem }
        if watch?.isUnwatched(path) == true {
            return "nothing on the way to it can be watched: the system's limit of watches may have been reached"
        }
        return seen.contains(path) ? nil : "its file system has not answered yet"
    }

    /// Calls `completion` once a path has been looked at for the first time, or does not answer: what changes from then
    /// on is not missed.
    func whenLookedAt(_ path: FilePath, _ completion: @escaping () -> Void) {
        guard wanted.contains(path), !seen.contains(path) else { return completion() }
        let timer =
            waiting[path]?.timer ?? loop.schedule(after: Self.answerLimit) { [weak self] in self?.answer(path) }
        waiting[path, default: Waiting(timer: timer, completions: [])].completions.append(completion)
    }

    /// Ends it all; nobody is told of anything any more.
    func stop() {
        watch?.cancel()
        watch = nil
        pool.stop()
        for path in waiting.keys {
            answer(path)
        }
    }

    private func startWatch() {
        guard watch == nil else { return }
        do throws(DBusError) {
            watch = try DirectoryWatch(
                label, gathering: Self.gathering, patience: Self.patience, on: loop
            ) { [weak self] paths in
                for path in paths.sorted() {
                    self?.read(path)
                }
            }
            problem = nil
            // Those that came while there was none.
            for path in wanted.sorted() {
                watch?.add(path)
            }
        } catch {
            problem = error.message
        }
    }

    private func read(_ path: FilePath) {
        guard looks[path] == nil else {
            looks[path] = true
            return
        }
        looks[path] = false
        pool.read { [look] in
            look(path.text)
        } _: { [weak self] state in
            self?.take(state, of: path)
        }
    }

    private func take(_ state: State, of path: FilePath) {
        let isOutdated = looks.removeValue(forKey: path) == true
        guard wanted.contains(path) else { return }
        if isOutdated {
            read(path)
        }
        seen.insert(path)
        lookedAt?(path, state)
        answer(path)
    }

    private func answer(_ path: FilePath) {
        guard let waiting = waiting.removeValue(forKey: path) else { return }
        waiting.timer.cancel()
        for completion in waiting.completions {
            completion()
        }
    }
}
