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

        fileprivate var file: SettingsFile { SettingsFile(path: path, format: format) }

        fileprivate func read() -> Result<PreferenceValue?, SentinelError> {
            do throws(SentinelError) {
                return .success(try file.value(of: key, like: fallback) ?? fallback)
            } catch {
                return .failure(error)
            }
        }

        fileprivate func write(_ value: PreferenceValue) -> Result<PreferenceValue?, SentinelError> {
            do throws(SentinelError) {
                try file.set(key, to: value)
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
    }

    var valuesRead: ((ApplicationID, [Name: PreferenceValue]) -> Void)?
    var valuesLost: ((ApplicationID, [Name]) -> Void)?

    private let loop: EventLoop
    private let log: Log
    private let lines: FileLines
    private var bindings: [ApplicationID: [Name: Binding]] = [:]
    private var watch: DirectoryWatch?

    init(on loop: EventLoop, log: Log) {
        self.loop = loop
        self.log = log
        // Each file's one after the other: to write means to read what is there first.
        lines = FileLines("org.sentinel.settings-files", loop: loop)
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
        lines.perform(with: binding.path, { binding.read() }, completion: completion)
    }

    func write(_ value: PreferenceValue, to key: Name, of id: ApplicationID, completion: @escaping Completion) {
        guard let binding = bindings[id]?[key] else { return completion(.failure(Self.gone(key))) }
        lines.perform(with: binding.path, isWriting: true, { binding.write(value) }, completion: completion)
    }

    /// Ends the watch, and lets go of what is read and written.
    func stop() {
        watch?.cancel()
        lines.stop()
    }

    private func watchFiles() {
        let paths = bindings.values.flatMap(\.values).map(\.path)
        do throws(DBusError) {
            if watch == nil, !paths.isEmpty {
                watch = try DirectoryWatch("org.sentinel.settings-watch", on: loop) { [weak self] paths in
                    guard let self else { return }
                    for id in bindings.keys {
                        read(id, at: paths)
                    }
                }
            }
            watch?.set(paths)
        } catch {
            log.warning("files of settings are not watched: \(error.message)")
        }
    }

    /// Reads what an application has in files, those at some paths only unless that is nil.
    private func read(_ id: ApplicationID, at paths: Set<FilePath>? = nil) {
        guard let bindings = bindings[id] else { return }
        for file in Set(bindings.values.map(\.file)) where paths?.contains(FilePath(file.path)) ?? true {
            read(file, bindings.filter { $0.value.file == file }, of: id)
        }
    }

    /// Reads the values that an application has in one file.
    private func read(_ file: SettingsFile, _ wanted: [Name: Binding], of id: ApplicationID) {
        let keys = Array(wanted)
        lines.perform(with: file.path) {
            .success(file.values(of: keys.map { ($0.value.key, $0.value.fallback) }))
        } completion: { [weak self] (outcome: Result<[Result<PreferenceValue?, SentinelError>], SentinelError>) in
            guard let self else { return }
            var values: [Name: PreferenceValue] = [:]
            var lost: [Name] = []
            for (index, (key, binding)) in keys.enumerated() where self.bindings[id]?[key] == binding {
                // Why it cannot be read is said to who asks for it.
                if case .success(let results) = outcome, case .success(let value) = results[index] {
                    values[key] = value ?? binding.fallback
                } else {
                    lost.append(key)
                }
            }
            if !values.isEmpty { valuesRead?(id, values) }
            if !lost.isEmpty { valuesLost?(id, lost.sorted()) }
        }
    }
}
