// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts

extension TriggerCause {
    /// The options of a kind by name: each is a text, but for the path of a signal, which is an object path on the bus.
    typealias Texts = [String: String]

    /// The longest rule that the message bus takes, in bytes (`DBUS_MAXIMUM_MATCH_RULE_LENGTH`).
    private static let longestRule = 1024
    /// What must not wake the service: what it sends itself, and what is said to it.
    private static let ownNamespace = "org.sentinel"
    /// The interface of what a client's own library tells it (D-Bus Specification, "Local interface").
    private static let local = "org.freedesktop.DBus.Local"
    /// The interface below that everybody signals on.
    private static let notification = "org.sentinel.Notification"

    /// A cause of a kind.
    ///
    /// - Throws: `invalidArgs` where an option is missing or cannot be.
    init(_ kind: Kind, _ texts: Texts) throws(SentinelError) {
        switch kind {
        case .signal:
            self = .signal(try Self.rule(texts))
        case .unixSignal:
            self = .unixSignal(try Self.oneOf(UnixSignal.self, texts, "signal"))
        case .shortcut:
            self = .shortcut(
                Shortcut(
                    preferred: try Self.label(texts, "preferred"), description: try Self.label(texts, "description")))
        case .screenshot:
            self = .screenshot
        case .shake:
            self = .shake
        case .session:
            self = .session(try Self.oneOf(SessionEvent.self, texts, "event"))
        case .file:
            self = .file(try Self.path(texts))
        }
    }

    /// The options that say all of it.
    var texts: Texts {
        switch self {
        case .signal(let rule):
            [
                "interface": rule.interface?.text, "member": rule.member?.text, "path": rule.path?.text,
                "sender": rule.sender?.text, "arg0": rule.argument0?.text,
            ].compactMapValues { $0 }
        case .unixSignal(let signal): ["signal": signal.rawValue]
        case .shortcut(let shortcut):
            ["preferred": shortcut.preferred?.text, "description": shortcut.description?.text].compactMapValues { $0 }
        case .screenshot, .shake: [:]
        case .session(let event): ["event": event.rawValue]
        case .file(let path): ["path": path.text]
        }
    }

    private static func rule(_ texts: Texts) throws(SentinelError) -> MatchRule {
        let interface = try checked(try needed(texts, "interface"), "interface") { (text) throws(DBusError) in
            try InterfaceName(text)
        }
        let isOwn = interface.text == ownNamespace || interface.text.hasPrefix("\(ownNamespace).")
        guard !isOwn || interface.text == notification else {
            throw SentinelError(
                .invalidArgs,
                "option interface: signals of interfaces below \(ownNamespace) other than \(notification) are no triggers"
            )
        }
        guard interface.text != local else {
            throw SentinelError(.invalidArgs, "option interface: signals of \(local) never come over a bus")
        }
        let sender = try texts["sender"].map { (text) throws(SentinelError) in
            try checked(text, "sender") { (text) throws(DBusError) in try BusName(text) }
        }
        guard sender?.text != ownNamespace else {
            throw SentinelError(.invalidArgs, "option sender: what the service signals itself is no trigger")
        }
        if let argument = texts["arg0"], argument.utf8.contains(0) {
            throw SentinelError(.invalidArgs, "option arg0: no text on the bus holds U+0000")
        }
        let member = try checked(try needed(texts, "member"), "member") { (text) throws(DBusError) in
            try MemberName(text)
        }
        let rule = MatchRule(
            sender: sender,
            path: try texts["path"].map { (text) throws(SentinelError) in
                try checked(text, "path") { (text) throws(DBusError) in try ObjectPath(text) }
            },
            interface: interface, member: member, argument0: texts["arg0"])
        guard rule.text.utf8.count <= longestRule else {
            throw SentinelError(
                .invalidArgs, "the options of the signal are too long: a message bus takes \(longestRule) bytes of them"
            )
        }
        return rule
    }

    private static func path(_ texts: Texts) throws(SentinelError) -> FilePath {
        let text = try needed(texts, "path")
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        guard text.utf8.first == UInt8(ascii: "/"), let end, text.utf8.count < 4096, !text.utf8.contains(0) else {
            throw SentinelError(
                .invalidArgs, "option path: expected the absolute path of a file, of less than 4 096 bytes")
        }
        return FilePath(String(text[...end]))
    }

    private static func label(_ texts: Texts, _ name: String) throws(SentinelError) -> Name? {
        guard let text = texts[name], !text.isEmpty else { return nil }
        return try Name(text, as: "option \(name)")
    }

    private static func oneOf<Choice: RawRepresentable<String> & CaseIterable>(
        _ type: Choice.Type, _ texts: Texts, _ name: String
    ) throws(SentinelError) -> Choice {
        guard let choice = Choice(rawValue: try needed(texts, name)) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw SentinelError(.invalidArgs, "option \(name): expected one of \(choices)")
        }
        return choice
    }

    private static func needed(_ texts: Texts, _ name: String) throws(SentinelError) -> String {
        guard let text = texts[name] else { throw SentinelError(.invalidArgs, "option \(name) is missing") }
        return text
    }

    private static func checked<Checked>(
        _ text: String, _ name: String, _ check: (String) throws(DBusError) -> Checked
    ) throws(SentinelError) -> Checked {
        do throws(DBusError) {
            return try check(text)
        } catch {
            throw SentinelError(.invalidArgs, "option \(name): \(error.message)", underlying: error)
        }
    }
}

extension TriggerCause.Kind {
    /// A kind by its name.
    ///
    /// - Throws: `invalidArgs` for another name.
    init(named name: String) throws(SentinelError) {
        guard let kind = Self(rawValue: name) else {
            let kinds = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw SentinelError(.invalidArgs, "no kind of trigger has this name: expected one of \(kinds)")
        }
        self = kind
    }

    /// The names of its options.
    var optionNames: [String] {
        switch self {
        case .signal: ["interface", "member", "path", "sender", "arg0"]
        case .unixSignal: ["signal"]
        case .shortcut: ["preferred", "description"]
        case .screenshot, .shake: []
        case .session: ["event"]
        case .file: ["path"]
        }
    }

    /// Whether firing toggles presentation where nothing else is said: a session that is being locked is no place to
    /// show something.
    var presents: Bool { self != .session }

    /// Whether an option is an object path on the bus.
    func isObjectPath(_ option: String) -> Bool { self == .signal && option == "path" }
}
