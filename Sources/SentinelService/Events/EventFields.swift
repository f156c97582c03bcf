// SPDX-License-Identifier: MIT

import SentinelModels

/// The fields of an event as a file has them.
struct EventFields {
    var id: String?
    var timestamp: Int64?
    var type: String?
    var source: String?
    var duration: Double?
    var marks: Event.Marks = []
    var data: [DataKey: DataValue] = [:]

    init() {}

    /// Reads a line of `jsonl`; unknown members are ignored.
    ///
    /// - Throws: code `invalidArgs` for a known member of a wrong type.
    init(_ json: JSONValue) throws(SentinelError) {
        guard case .object(let members) = json else { throw SentinelError(.invalidArgs, "expected a JSON object") }
        for (key, value) in members {
            switch (key, value) {
            case ("id", .string(let text)): id = text
            case ("timestamp", .integer(let number)): timestamp = number
            case ("type", .string(let text)): type = text
            case ("source", .string(let text)): source = text
            case ("duration", .double(let number)): duration = number
            case ("duration", .integer(let number)): duration = Double(number)
            case ("data", .object(let members)): data = try DataValue.members(of: members)
            case ("id", _), ("timestamp", _), ("type", _), ("source", _), ("duration", _), ("data", _):
                throw Self.wrongType(key)
            default: try readMark(key, value)
            }
        }
    }

    private mutating func readMark(_ key: String, _ value: JSONValue) throws(SentinelError) {
        guard let mark = Event.Marks.names.first(where: { $0.name == key })?.mark else { return }
        guard case .bool(let isSet) = value else { throw Self.wrongType(key) }
        if isSet {
            marks.insert(mark)
        }
    }

    /// The event of the fields.
    ///
    /// - Throws: code `invalidArgs` for a field that is missing or out of range.
    func event() throws(SentinelError) -> Event {
        guard let id else { throw Self.missing("id") }
        guard let timestamp else { throw Self.missing("timestamp") }
        guard let type else { throw Self.missing("type") }
        guard let source else { throw Self.missing("source") }
        let duration = try duration.flatMap { (seconds) throws(SentinelError) in try EventDuration.microseconds(seconds)
        }
        guard duration == nil || !marks.contains(.open) else {
            throw SentinelError(.invalidArgs, "an open event has no duration")
        }
        try DataLimits.check(data)
        return Event(
            id: try EventID(id), timestamp: try Timestamp(microseconds: timestamp),
            type: try Name(type, as: "type"), source: try Name(source, as: "source"), duration: duration,
            marks: marks, data: data)
    }

    static func wrongType(_ field: String) -> SentinelError {
        SentinelError(.invalidArgs, "\(field) has a wrong type")
    }

    private static func missing(_ field: String) -> SentinelError {
        SentinelError(.invalidArgs, "\(field) is missing")
    }
}
