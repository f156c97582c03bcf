// SPDX-License-Identifier: MIT

import SentinelModels

/// Which column of a file has which field of an event.
struct EventColumns {
    private let names: [String]

    /// Reads the line of column names, which may have a byte-order mark before it; unknown ones are ignored.
    ///
    /// - Throws: code `invalidArgs` if one is missing that every event has, or comes twice.
    init(_ row: [String]) throws(SentinelError) {
        var names = row
        if let first = names.first, first.unicodeScalars.first == "\u{FEFF}" {
            names[0] = String(first.unicodeScalars.dropFirst())
        }
        for name in EventFormat.columns.prefix(4) where !names.contains(name) {
            throw SentinelError(.invalidArgs, "there is no column \(name)")
        }
        for name in EventFormat.columns where names.count(where: { $0 == name }) > 1 {
            throw SentinelError(.invalidArgs, "there are two columns \(name)")
        }
        self.names = names
    }

    /// Reads a row.
    ///
    /// - Throws: code `invalidArgs` for a field of a wrong type, and for a row with more or fewer fields than columns.
    func fields(of row: [String]) throws(SentinelError) -> EventFields {
        guard row.count == names.count else {
            throw SentinelError(.invalidArgs, "\(row.count) fields for \(names.count) columns")
        }
        var fields = EventFields()
        for (name, text) in zip(names, row) where !text.isEmpty {
            switch name {
            case "id": fields.id = text
            case "type": fields.type = text
            case "source": fields.source = text
            case "timestamp":
                guard let number = Int64(text) else { throw EventFields.wrongType(name) }
                fields.timestamp = number
            case "duration":
                guard let number = Double(text) else { throw EventFields.wrongType(name) }
                fields.duration = number
            case "data": fields.data = try Self.data(text)
            default: try readMark(name, text, &fields)
            }
        }
        return fields
    }

    private func readMark(_ name: String, _ text: String, _ fields: inout EventFields) throws(SentinelError) {
        guard let mark = Event.Marks.names.first(where: { $0.name == name })?.mark else { return }
        switch text {
        case "true": fields.marks.insert(mark)
        case "false": break
        default: throw EventFields.wrongType(name)
        }
    }

    private static func data(_ text: String) throws(SentinelError) -> [DataKey: DataValue] {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: text.utf8)
        } catch {
            throw SentinelError(.invalidArgs, "data: \(error.reason)", underlying: error)
        }
        guard case .object(let members) = value else { throw EventFields.wrongType("data") }
        return try DataValue.members(of: members)
    }
}
