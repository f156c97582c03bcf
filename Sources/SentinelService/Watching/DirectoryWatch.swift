// SPDX-License-Identifier: MIT

import CLinux
import DBus
import Glibc

/// Tells that something has changed at paths: in a directory, or a file, also behind links, and where there is nothing
/// yet: then what is above is watched (inotify(7)). Nothing is polled.
///
/// To look at a path may take for ever where it leads to a network disk that is gone. It is done beside the loop, a few
/// paths at a time, and keeps nobody waiting who wants others while a place is left. Confined to the loop's thread.
///
/// A file that is being made is told of once more when it is closed. Who wants each file once has it told of only then, or
/// when nothing has been written into it for a while: links and the like are never closed, nor are files for those who
/// watch that come with a directory.
final class DirectoryWatch: @unchecked Sendable {
    /// So often events are read before others have their turn, some hundreds each time.
    private static let readsATurn = 16
    /// So many paths are looked at at a time.
    private static let lookers = 4

    private let loop: EventLoop
    private let descriptor: FileDescriptor
    private let pool: ReadingPool
    private let gathering: Duration
    private let patience: Duration?
    private let changed: @Sendable (Set<FilePath>) -> Void
    private var watch: DescriptorWatch?
    private var wanted: Set<FilePath> = []
    /// What is watched for each path that has been looked at.
    private var places: [FilePath: Set<WatchedPlace>] = [:]
    /// The paths that have something to do with a directory, by what stands for it.
    private var users: [Int32: Set<FilePath>] = [:]
    /// The paths that are being looked at, and whether each has to be once more.
    private var looks: [FilePath: Bool] = [:]
    private var touched: Set<FilePath> = []
    /// The paths at which files are being made, until that is told.
    private var begun: [FilePath: LoopTimer] = [:]
    private var timer: LoopTimer?

    /// Begins to watch nothing.
    ///
    /// - Parameters:
    ///   - gathering: changes that come within so long of each other are told together.
    ///   - patience: a file that is being made, or comes with a directory, is told of when it is closed, or nothing has
    ///     been written into it for so long; nil to have it told of at once.
    ///   - changed: told, on the loop's thread, the paths at which something may have changed; also those of which
    ///     something is watched from now on that was not before, since until then nobody would have noticed.
    /// - Throws: code `failed` where the system gives no descriptor.
    init(
        _ label: String, gathering: Duration = .milliseconds(100), patience: Duration? = nil, on loop: EventLoop,
        changed: @escaping @Sendable (Set<FilePath>) -> Void
    ) throws(DBusError) {
        let number = inotify_init1(Int32(CLINUX_INOTIFY_FLAGS))
        guard number >= 0 else { throw DBusError(.failed, "directories cannot be watched: error \(errno)") }
        self.loop = loop
        self.gathering = gathering
        self.patience = patience
        self.changed = changed
        descriptor = FileDescriptor(owning: number)
        pool = ReadingPool(label, places: Self.lookers, loop: loop)
        watch = loop.watch(readable: number) { [weak self] in self?.takeEvents() }
    }

    /// Ends the watch, and lets go of what is being looked at; on the loop's thread, before the last reference goes.
    func cancel() {
        watch?.cancel()
        watch = nil
        timer?.cancel()
        for timer in begun.values {
            timer.cancel()
        }
        begun = [:]
        pool.stop()
    }

    /// The paths that cannot be watched, and neither can what is above them.
    var unwatched: [String] { places.filter(\.value.isEmpty).keys.sorted().map(\.text) }

    /// Whether nothing on the way to a path can be watched.
    func isUnwatched(_ path: FilePath) -> Bool { places[path]?.isEmpty == true }

    /// Watches paths, in place of those before.
    ///
    /// - Parameter paths: absolute ones of directories and of files, without a slash at the end.
    func set(_ paths: some Sequence<String>) {
        let paths = Set(paths.map { FilePath($0) })
        for path in wanted.subtracting(paths) {
            remove(path)
        }
        for path in paths.subtracting(wanted).sorted() {
            add(path)
        }
    }

    /// Watches one path more; see ``set(_:)``.
    func add(_ path: FilePath) {
        if wanted.insert(path).inserted {
            look(at: path)
        }
    }

    /// Watches a path no more.
    func remove(_ path: FilePath) {
        guard wanted.remove(path) != nil else { return }
        begun.removeValue(forKey: path)?.cancel()
        replacePlaces(of: path, with: nil)
    }

    // MARK: Looking

    private func look(at path: FilePath) {
        guard looks[path] == nil else {
            looks[path] = true
            return
        }
        looks[path] = false
        pool.read { [descriptor] in
            WatchedPlace.watch(path.text, with: descriptor)
        } _: { [weak self] found in
            self?.take(found, of: path)
        }
    }

    private func take(_ found: Set<WatchedPlace>, of path: FilePath) {
        let isOutdated = looks.removeValue(forKey: path) == true
        guard wanted.contains(path) else {
            return release(found.map(\.number))
        }
        let earlier = places[path]
        replacePlaces(of: path, with: found)
        if isOutdated {
            look(at: path)
        }
        guard found != earlier else { return }
        if earlier != nil, patience != nil {
            // Somebody may be writing there what was begun before it was watched.
            look(at: path)
            waitForEnd(of: path)
        } else {
            // It is looked at again then: what was made after it was looked for, and before what is above it was
            // watched, is told of by nobody. So is what was let go of meanwhile.
            note([path])
        }
    }

    private func replacePlaces(of path: FilePath, with found: Set<WatchedPlace>?) {
        let earlier = Set((places[path] ?? []).map(\.number))
        places[path] = found
        let numbers = Set((found ?? []).map(\.number))
        for number in numbers {
            users[number, default: []].insert(path)
        }
        let gone = earlier.subtracting(numbers)
        for number in gone {
            users[number]?.remove(path)
            if users[number]?.isEmpty == true {
                users[number] = nil
            }
        }
        release(gone)
    }

    /// Lets go of directories that no path has any more.
    private func release(_ numbers: some Sequence<Int32>) {
        let free = numbers.filter { users[$0] == nil }
        guard !free.isEmpty else { return }
        pool.read { [descriptor] in
            for number in free {
                _ = inotify_rm_watch(descriptor.rawValue, number)
            }
        } _: {
        }
    }

    // MARK: Events

    private func note(_ paths: some Sequence<FilePath>) {
        for path in paths {
            touched.insert(path)
            begun.removeValue(forKey: path)?.cancel()
        }
        guard timer == nil, !touched.isEmpty else { return }
        timer = loop.schedule(after: gathering) { [weak self] in self?.tell() }
    }

    private func tell() {
        timer = nil
        let paths = touched.intersection(wanted)
        touched = []
        for path in paths {
            look(at: path)
        }
        if !paths.isEmpty {
            changed(paths)
        }
    }

    private func takeEvents() {
        var events = WatchEvents()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        // What more there is has its turn after what else waits for the loop.
        for _ in 0..<Self.readsATurn {
            let count = buffer.withUnsafeMutableBytes { read(descriptor.rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { events.take($0[..<count]) }
        }
        // Where events were lost, they can have been of any directory.
        let areLost = events.whole.contains(-1)
        let paths = areLost ? wanted : Set(events.numbers.flatMap { users[$0] ?? [] })
        for path in paths {
            let places = places[path] ?? []
            let isChanged = places.contains { events.changed.contains($0) || events.whole.contains($0.number) }
            if areLost || isChanged {
                note([path])
            } else if !places.isDisjoint(with: events.directories) {
                lookForUnfinished(at: path)
            } else if !places.isDisjoint(with: events.made) {
                waitForEnd(of: path)
            }
        }
    }

    /// Looks soon at a path on the way to which a directory has changed: it may have brought a file that is being made.
    private func lookForUnfinished(at path: FilePath) {
        guard patience != nil else { return note([path]) }
        guard begun[path] == nil else { return look(at: path) }
        begun[path] = loop.schedule(after: gathering) { [weak self] in
            self?.look(at: path)
            self?.tellIfWhole(path)
        }
    }

    /// Waits until a file that is being made is closed, or nothing has been written into it for a while.
    private func waitForEnd(of path: FilePath) {
        guard let patience else { return note([path]) }
        guard begun[path] == nil else { return }
        begun[path] = loop.schedule(after: patience) { [weak self] in self?.tellIfWhole(path) }
    }

    /// Tells of a path, unless there is a file into which something has been written just now.
    private func tellIfWhole(_ path: FilePath) {
        guard let patience, let timer = begun[path] else { return }
        pool.read {
            FileState(of: path.text).map { $0.isRegular && $0.wasModified(within: patience) } ?? false
        } _: { [weak self] isUnderWay in
            // Meanwhile it can have been told, and the next one begun.
            guard let self, begun[path] === timer else { return }
            begun[path] = nil
            if isUnderWay {
                waitForEnd(of: path)
            } else {
                note([path])
            }
        }
    }
}
