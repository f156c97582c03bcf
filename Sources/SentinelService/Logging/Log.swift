// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

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
        let prefix = isTerminal ? "\(Self.identifier): \(level.name): " : "<\(level.rawValue)>"
        var line = prefix + text + "\n"
        // One write keeps lines of several threads apart. A log that cannot be written stops nothing.
        _ = line.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
