// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// Triggers that wait for files to be touched: made, written, replaced, or given another time of change.
///
/// What is at a path is looked at beside the loop: a network disk that is gone may answer never. Confined to the loop's
/// thread.
final class FileTriggers: TriggerSource, @unchecked Sendable {
    /// A path that triggers wait at.
    private struct Place {
        /// In the order in which they were added.
        var triggers: [Name]
        /// What was last seen there; nil before the first look.
        var state: FileState??
    }

    private let watcher: PathWatcher<FileState?>
    private let fire: (Name) -> Void
    private var paths: [Name: FilePath] = [:]
    private var places: [FilePath: Place] = [:]

    init(loop: EventLoop, fire: @escaping (Name) -> Void) {
        self.fire = fire
        watcher = PathWatcher("org.sentinel.file-triggers", on: loop) { path in FileState(of: path) }
        watcher.lookedAt = { [weak self] path, state in self?.take(state, at: path) }
    }

    private func take(_ state: FileState?, at path: FilePath) {
        guard let place = places[path] else { return }
        places[path]?.state = .some(state)
        // What was there when it was first looked at has not been touched since anybody waited.
        guard let earlier = place.state, let state, state.content != earlier?.content else { return }
        for trigger in place.triggers {
            fire(trigger)
        }
    }

    func add(_ trigger: Name, _ cause: TriggerCause) {
        guard case .file(let path) = cause else { return }
        paths[trigger] = path
        places[path, default: Place(triggers: [])].triggers.append(trigger)
        watcher.add(path)
    }

    func remove(_ trigger: Name) {
        guard let path = paths.removeValue(forKey: trigger) else { return }
        places[path]?.triggers.removeAll { $0 == trigger }
        if places[path]?.triggers.isEmpty == true {
            places[path] = nil
            watcher.remove(path)
        }
    }

    func obstacle(to trigger: Name) -> String? {
        paths[trigger].flatMap { watcher.obstacle(at: $0) }
    }

    func whenWatching(_ trigger: Name, _ completion: @escaping () -> Void) {
        guard let path = paths[trigger] else { return completion() }
        watcher.whenLookedAt(path, completion)
    }

    func stop() {
        paths = [:]
        places = [:]
        watcher.stop()
    }
}
