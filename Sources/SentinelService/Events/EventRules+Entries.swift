// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

extension EventRules {
    /// So many rules there may be.
    static let limit = 1000

    /// Reads rules as they travel.
    ///
    /// - Throws: code `invalidArgs` that names the place of the first bad one, counted from 0.
    init(entries: [RuleEntry]) throws(SentinelError) {
        guard entries.count <= Self.limit else {
            throw SentinelError(.invalidArgs, "\(entries.count) rules are too many: at most \(Self.limit) are allowed")
        }
        var rules: [EventRule] = []
        for (index, entry) in entries.enumerated() {
            do throws(SentinelError) {
                rules.append(try EventRule(entry))
            } catch {
                throw SentinelError(error.code, "rule \(index): \(error.message)", underlying: error)
            }
        }
        self.init(rules)
    }

    /// The rules as they travel.
    var entries: [RuleEntry] {
        rules.map { RuleEntry(action: $0.action.rawValue, field: $0.field.text, pattern: $0.pattern.text) }
    }

    /// Reads rules as they are stored.
    ///
    /// - Throws: code `invalidArgs`.
    init(document: JSONValue) throws(SentinelError) {
        guard case .array(let rows) = document else { throw Self.noRules }
        var entries: [RuleEntry] = []
        for row in rows {
            guard case .array(let parts) = row, parts.count == 3, case .string(let action) = parts[0],
                case .string(let field) = parts[1], case .string(let pattern) = parts[2]
            else { throw Self.noRules }
            entries.append(RuleEntry(action: action, field: field, pattern: pattern))
        }
        try self.init(entries: entries)
    }

    private static let noRules = SentinelError(.invalidArgs, "expected rules, each of three texts")

    /// The rules as they are stored.
    var document: JSONValue {
        .array(entries.map { [.string($0.action), .string($0.field), .string($0.pattern)] })
    }
}

extension EventRule {
    fileprivate init(_ entry: RuleEntry) throws(SentinelError) {
        guard let action = Action(rawValue: entry.action) else {
            throw SentinelError(.invalidArgs, "not an action; allowed are allow, deny and redact")
        }
        self.init(action, try Field(entry.field), try GlobPattern(entry.pattern))
    }
}

extension EventRule.Field {
    private static let dataPrefix = "data."

    /// Reads a field as it travels.
    ///
    /// - Throws: code `invalidArgs`.
    init(_ text: String) throws(SentinelError) {
        switch text {
        case "type": self = .type
        case "source": self = .source
        case _ where text.utf8.starts(with: Self.dataPrefix.utf8) && text.utf8.count > Self.dataPrefix.utf8.count:
            self = .data(DataKey(String(text.unicodeScalars.dropFirst(Self.dataPrefix.unicodeScalars.count))))
        default: throw SentinelError(.invalidArgs, "not a field; allowed are type, source and data.<key>")
        }
    }

    /// The field as it travels.
    var text: String {
        switch self {
        case .type: "type"
        case .source: "source"
        case .data(let key): Self.dataPrefix + key.text
        }
    }
}
