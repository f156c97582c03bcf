// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// The preferences whose values are in files, which other programs write too: they are read when asked for and when a
/// file has changed.
///
/// Confined to the loop's thread.
final class FileSettings: SettingsStorage, @unchecked Sendable {
    /// Where a value is.
    struct Binding: Hashable, Sendable {
        let path: String
        let format: ManifestStorage.FileFormat
        let key: String
        /// What counts where the file says nothing.
        let fallback: PreferenceValue

        fileprivate func read() -> Result<PreferenceValue?, SentinelError> {
            do throws(SentinelError) {
                let file = SettingsFile(path: path, format: format)
                return .success(try file.value(of: key, like: fallback) ?? fallback)
            } catch {
                return .failure(error)
            }
        }

        fileprivate func write(_ value: PreferenceValue) -> Result<PreferenceValue?, SentinelError> {
            do throws(SentinelError) {
                try SettingsFile(path: path, format: format).set(key, to: value)
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Changes that come within so long of each other are looked at together.
    private static let gathering = Duration.milliseconds(100)

    var valuesRead: ((ApplicationID, [Name: PreferenceValue]) -> Void)?

    private let loop: EventLoop
    private let log: Log
    private let pool: ReadingPool
    private var bindings: [ApplicationID: [Name: Binding]] = [:]
    private var watch: DirectoryWatch?
    private var timer: LoopTimer?

    init(on loop: EventLoop, log: Log) {
        self.loop = loop
        self.log = log
        // One after the other: to write means to read what is there first.
        pool = ReadingPool("org.sentinel.settings-files", places: 1, loop: loop)
    }

    func hasBindings(_ id: ApplicationID) -> Bool { bindings[id] != nil }

    func holds(_ key: Name, of id: ApplicationID) -> Bool { bindings[id]?[key] != nil }

    /// Sets which values of an application are in files, and reads them.
    func bind(_ bindings: [Name: Binding], of id: ApplicationID) {
        guard self.bindings[id, default: [:]] != bindings else { return }
        self.bindings[id] = bindings.isEmpty ? nil : bindings
        watchFiles()
        read(id)
    }

    func forget(_ id: ApplicationID) { bind([:], of: id) }

    func read(_ key: Name, of id: ApplicationID, completion: @escaping Completion) {
        guard let binding = bindings[id]?[key] else { return completion(.failure(Self.gone(key))) }
        pool.read {
            binding.read()
        } _: {
            completion($0)
        }
    }

    func write(_ value: PreferenceValue, to key: Name, of id: ApplicationID, completion: @escaping Completion) {
        guard let binding = bindings[id]?[key] else { return completion(.failure(Self.gone(key))) }
        pool.read {
            binding.write(value)
        } _: {
            completion($0)
        }
    }

    /// Ends the watch.
    func stop() {
        watch?.cancel()
        timer?.cancel()
    }

    private func watchFiles() {
        let directories = Set(
            bindings.values.flatMap(\.values).map { binding in
                String(binding.path.prefix(upTo: binding.path.lastIndex(of: "/") ?? binding.path.startIndex))
            })
        do throws(DBusError) {
            if watch == nil, !directories.isEmpty {
                watch = try DirectoryWatch(on: loop) { [weak self] in self?.gather() }
            }
            watch?.set(directories.sorted())
        } catch {
            log.warning("files of settings are not watched: \(error.message)")
        }
    }

    private func gather() {
        guard timer == nil else { return }
        timer = loop.schedule(after: Self.gathering) { [weak self] in
            guard let self else { return }
            timer = nil
            for id in bindings.keys {
                read(id)
            }
        }
    }

    private func read(_ id: ApplicationID) {
        guard let bindings = bindings[id] else { return }
        pool.read {
            var values: [Name: PreferenceValue] = [:]
            for (key, binding) in bindings {
                // What cannot be read is said to who asks for it.
                if case .success(let value?) = binding.read() {
                    values[key] = value
                }
            }
            return values
        } _: { [weak self] values in
            guard let self, self.bindings[id] == bindings else { return }
            valuesRead?(id, values)
        }
    }
}
