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
    /// The number of messages that found no room since one was written.
    private let lostCount = Atomic(0)

    /// Lines are cut here, in bytes: a pipe that can be written has room for so much (`pipe(7)`).
    private static let longestLine = 4096

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
        guard StandardError.hasRoom else { return false }
        let prefix = isTerminal ? "\(Self.identifier): \(level.name): " : "<\(level.rawValue)>"
        StandardError.write(String(decoding: (prefix + text).utf8.prefix(Self.longestLine - 1), as: UTF8.self) + "\n")
        return true
    }
}
