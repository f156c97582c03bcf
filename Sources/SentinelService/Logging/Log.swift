// SPDX-License-Identifier: MIT

import Synchronization

/// The service's log: one line a message on standard error.
///
/// A line begins with the level between angle brackets, from which the journal takes it (`sd-daemon(3)`); on a
/// terminal it begins with the program's name instead. Messages hold no payloads: no values, no event data.
final class Log: Sendable {
    /// The name that lines carry on a terminal, and the journal's `SYSLOG_IDENTIFIER`.
    static let identifier = "sentineld"

    private let threshold: Atomic<Int>
    private let isTerminal: Bool

    /// Makes a log that writes messages up to a level.
    init(level: LogLevel = .info) {
        threshold = Atomic(level.rawValue)
        isTerminal = StandardError.isTerminal
    }

    /// The least severe level that is written.
    var level: LogLevel {
        get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .info }
        set { threshold.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Tells of a failure: something that was asked for is not done.
    func error(_ message: @autoclosure () -> String) { write(.error, message) }
    /// Tells of something that the service gets by without.
    func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    /// Tells of something rare that is no fault.
    func notice(_ message: @autoclosure () -> String) { write(.notice, message) }
    /// Tells of what the service does.
    func info(_ message: @autoclosure () -> String) { write(.info, message) }
    /// Tells what helps to find a fault.
    func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
        // A name from outside must not begin a line of its own.
        let text = String(
            String.UnicodeScalarView(
                message().unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        let prefix = isTerminal ? "\(Self.identifier): \(level.name): " : "<\(level.rawValue)>"
        StandardError.write(prefix + text + "\n")
    }
}
