// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelModels

/// Tells which keys of a schema others have changed, as `gsettings monitor` notices it.
///
/// Confined to the loop's thread.
final class GSettingsMonitor: @unchecked Sendable {
    /// So much of a line is looked at for its key, in bytes.
    private static let longestKey = 1 << 10

    private let process: HelperProcess
    private let changed: @Sendable (Set<String>) -> Void
    private let ended: @Sendable () -> Void
    private var watches: [DescriptorWatch] = []
    private var line: [UInt8] = []
    private var isEnded = false

    /// Starts the program, which ends with the service at the latest.
    ///
    /// - Parameters:
    ///   - changed: told the keys of lines that were written.
    ///   - ended: told when the program has ended by itself.
    /// - Throws: what the program cannot be started for.
    init(
        _ program: HelperProgram, schema: String, on loop: EventLoop,
        changed: @escaping @Sendable (Set<String>) -> Void,
        ended: @escaping @Sendable () -> Void
    ) throws(SentinelError) {
        process = try program.start(["monitor", schema])
        self.changed = changed
        self.ended = ended
        // These keep this until the program has ended and was taken note of, or the loop has ended.
        watches = [
            loop.watch(readable: process.handle.rawValue) { self.processEnded() },
            loop.watch(readable: process.output.rawValue) { self.takeOutput() },
            loop.watch(readable: process.errors.rawValue) { self.dropErrors() },
        ]
    }

    /// Ends the program.
    func end() {
        isEnded = true
        process.kill()
    }

    private func processEnded() {
        for watch in watches {
            watch.cancel()
        }
        watches = []
        _ = process.reap()
        guard !isEnded else { return }
        isEnded = true
        ended()
    }

    private func takeOutput() {
        guard let bytes = Self.read(process.output) else {
            // One that tells nothing any more is of no use; its end is noticed.
            if watches.count == 3 { watches[1].cancel() }
            process.kill()
            return
        }
        var keys: Set<String> = []
        for byte in bytes {
            if byte == 0x0A {
                if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                    keys.insert(String(decoding: line[..<colon], as: UTF8.self))
                }
                line = []
            } else if line.count < Self.longestKey {
                line.append(byte)
            }
        }
        if !isEnded, !keys.isEmpty {
            changed(keys)
        }
    }

    private func dropErrors() {
        if Self.read(process.errors) == nil, watches.count == 3 {
            watches[2].cancel()
        }
    }

    /// What is there by now; nil at the end.
    private static func read(_ descriptor: FileDescriptor) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor.rawValue, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }
}
