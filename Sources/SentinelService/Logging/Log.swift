// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// The service's log: one line a message on standard error.
///
/// A line begins with the level between angle brackets, from which the journal takes it (`sd-daemon(3)`); on a
/// terminal it begins with the program's name instead. Messages hold no payloads: no values, no event data.
public final class Log: Sendable {
    /// The name that lines carry on a terminal, and the journal's `SYSLOG_IDENTIFIER`.
    public static let identifier = "sentineld"

    private let threshold: Atomic<Int>
    private let descriptor: Int32
    private let isTerminal: Bool
    /// The number of messages that found no room since one was written.
    private let lostCount = Atomic(0)

    /// Lines are cut here, in bytes: a pipe that can be written has room for so much (`pipe(7)`).
    private static let longestLine = 4096

    /// Makes a log that writes messages up to a level.
    public init(level: LogLevel = .info) {
        threshold = Atomic(level.rawValue)
        descriptor = STDERR_FILENO
        isTerminal = isatty(descriptor) == 1
    }

    /// The least severe level that is written.
    public var level: LogLevel {
        get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .info }
        set { threshold.store(newValue.rawValue, ordering: .relaxed) }
    }

    public func error(_ message: @autoclosure () -> String) { write(.error, message) }
    public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    public func notice(_ message: @autoclosure () -> String) { write(.notice, message) }
    public func info(_ message: @autoclosure () -> String) { write(.info, message) }
    public func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
        // A name from outside must not begin a line of its own.
        let text = String(
            String.UnicodeScalarView(
                message().unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        let lost = lostCount.exchange(0, ordering: .relaxed)
        guard lost == 0 || put("messages lost before this, since nobody read them: \(lost)", .warning) else {
            lostCount.add(lost + 1, ordering: .relaxed)
            return
        }
        if !put(text, level) {
            lostCount.add(1, ordering: .relaxed)
        }
    }

    /// Writes a line, unless that would have to wait: a reader that takes nothing holds up nobody.
    private func put(_ text: String, _ level: LogLevel) -> Bool {
        var log = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&log, 1, 0) > 0 else { return false }
        let prefix = isTerminal ? "\(Self.identifier): \(level.name): " : "<\(level.rawValue)>"
        let line = Array((prefix + text).utf8.prefix(Self.longestLine - 1)) + [UInt8(ascii: "\n")]
        // One write keeps lines of several threads apart. A log that cannot be written stops nothing.
        _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        return true
    }
}
