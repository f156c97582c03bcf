// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts

/// What a trigger waits for.
enum TriggerCause: Hashable, Sendable {
    /// A signal on the session bus.
    case signal(MatchRule)
    /// A signal that is sent to the service's process.
    case unixSignal(UnixSignal)
    /// A key combination of the GlobalShortcuts portal.
    case shortcut(Shortcut)
    /// A new picture in the user's folder for screenshots.
    case screenshot
    /// A shake of the machine.
    case shake
    /// Something that happens to the session or the machine.
    case session(SessionEvent)
    /// A file that is touched, by its absolute path.
    case file(FilePath)

    /// A kind of trigger that can be added.
    enum Kind: String, CaseIterable, Sendable {
        case signal
        case unixSignal = "unix-signal"
        case shortcut
        case screenshot
        case shake
        case session
        case file
    }

    /// A signal of `signal(7)` that means nothing else.
    enum UnixSignal: String, CaseIterable, Sendable {
        case first = "SIGUSR1"
        case second = "SIGUSR2"
    }

    /// What a desktop is asked for.
    struct Shortcut: Hashable, Sendable {
        /// The wish in the syntax of the XDG shortcuts specification, such as `CTRL+ALT+d`.
        var preferred: Name?
        /// What the desktop tells people of it.
        var description: Name?
    }

    /// Its kind.
    var kind: Kind {
        switch self {
        case .signal: .signal
        case .unixSignal: .unixSignal
        case .shortcut: .shortcut
        case .screenshot: .screenshot
        case .shake: .shake
        case .session: .session
        case .file: .file
        }
    }
}
