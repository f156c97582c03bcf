// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// What a trigger waits for, and what it does then: its options, understood.
struct TriggerPlan: Hashable, Sendable {
    private static let presentName = "present"

    /// What it waits for.
    let cause: TriggerCause
    /// Whether firing toggles presentation.
    let presents: Bool
    /// The same as it is kept.
    let declaration: TriggerDeclaration

    /// Reads the options of a call.
    ///
    /// - Throws: `invalidArgs` where the kind is unknown, or an option is missing or cannot be.
    init(kind: String, options: [Key: Value]) throws {
        let kind = try TriggerCause.Kind(named: kind)
        var texts: TriggerCause.Texts = [:]
        for name in kind.optionNames {
            if kind.isObjectPath(name) {
                texts[name] = try options.option(Key(name), as: ObjectPath.self)?.text
            } else {
                texts[name] = try options.option(Key(name), as: String.self)
            }
        }
        try self.init(
            TriggerCause(kind, texts), presents: options.option(Key(Self.presentName)) ?? kind.presents)
    }

    /// Reads a declaration, as a manifest has one and the store.
    ///
    /// - Throws: `invalidArgs` where the kind is unknown, or an option is missing or cannot be.
    init(_ declaration: TriggerDeclaration) throws(SentinelError) {
        let kind = try TriggerCause.Kind(named: declaration.kind.text)
        var texts: TriggerCause.Texts = [:]
        var presents = kind.presents
        for (name, value) in declaration.options {
            switch value {
            case .boolean(let isOn) where name.text == Self.presentName:
                presents = isOn
            case .text(let text) where kind.optionNames.contains(name.text):
                texts[name.text] = text
            case _ where name.text == Self.presentName:
                throw SentinelError(.invalidArgs, "option \(name): expected true or false")
            case _ where kind.optionNames.contains(name.text):
                throw SentinelError(.invalidArgs, "option \(name): expected a text")
            default:
                continue
            }
        }
        try self.init(TriggerCause(kind, texts), presents: presents)
    }

    private init(_ cause: TriggerCause, presents: Bool) throws(SentinelError) {
        var options = [try Name(Self.presentName): PreferenceValue.boolean(presents)]
        for (name, text) in cause.texts {
            options[try Name(name)] = .text(text)
        }
        declaration = TriggerDeclaration(kind: try Name(cause.kind.rawValue), options: options)
        self.cause = cause
        self.presents = presents
    }

    /// The names in a declaration that mean nothing.
    static func unknownOptions(of declaration: TriggerDeclaration) -> [Name] {
        let names = (TriggerCause.Kind(rawValue: declaration.kind.text)?.optionNames ?? []) + [presentName]
        return declaration.options.keys.filter { !names.contains($0.text) }.sorted()
    }

    /// The options in force, as they go over the bus.
    var options: [Key: Value] {
        var options: [Key: Value] = [Key(Self.presentName): .boolean(presents)]
        for (name, text) in cause.texts {
            if case .signal(let rule) = cause, cause.kind.isObjectPath(name) {
                options[Key(name)] = rule.path.map(Value.objectPath)
            } else {
                options[Key(name)] = .string(text)
            }
        }
        return options
    }
}
