// SPDX-License-Identifier: MIT

import SentinelModels

/// How events are written into files and read out of them.
enum EventFormat: String {
    /// A JSON object of an event in each line.
    case jsonLines = "jsonl"
    /// Comma-separated values with a line of column names (RFC 4180).
    case csv

    /// Reads the name of a format.
    ///
    /// - Throws: code `invalidArgs`.
    init(named name: String) throws(SentinelError) {
        guard let format = Self(rawValue: name) else {
            throw SentinelError(.invalidArgs, "not a format; allowed are jsonl and csv")
        }
        self = format
    }

    /// The columns of ``csv``.
    static let columns = [
        "id", "timestamp", "type", "source", "duration", "open", "interrupted", "redacted", "data",
    ]

    /// What comes before the first event.
    var header: [UInt8] {
        switch self {
        case .jsonLines: []
        case .csv: Self.row(Self.columns)
        }
    }

    /// An event with the end of its line.
    func line(_ event: Event) -> [UInt8] {
        switch self {
        case .jsonLines: Array(Self.object(event).serialized().utf8) + [UInt8(ascii: "\n")]
        case .csv: Self.row(Self.fields(event))
        }
    }

    private static func object(_ event: Event) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("id", .string(event.id.description)),
            ("timestamp", .integer(event.timestamp.microseconds)),
            ("type", .string(event.type.text)),
            ("source", .string(event.source.text)),
            ("duration", .double(EventDuration.seconds(event.duration))),
        ]
        for (name, mark) in Event.Marks.names where event.marks.contains(mark) {
            members.append((name, true))
        }
        if !event.data.isEmpty {
            members.append(("data", DataValue.json(of: event.data)))
        }
        return .object(members)
    }

    private static func fields(_ event: Event) -> [String] {
        [
            event.id.description, String(event.timestamp.microseconds), event.type.text, event.source.text,
            EventDuration.seconds(event.duration).description,
        ] + Event.Marks.names.map { event.marks.contains($0.mark) ? "true" : "false" }
            + [event.data.isEmpty ? "" : DataValue.json(of: event.data).serialized()]
    }

    private static func row(_ fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 {
                bytes.append(UInt8(ascii: ","))
            }
            let needsQuotes = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            guard needsQuotes else {
                bytes += field.utf8
                continue
            }
            bytes.append(0x22)
            for byte in field.utf8 {
                if byte == 0x22 {
                    bytes.append(0x22)
                }
                bytes.append(byte)
            }
            bytes.append(0x22)
        }
        return bytes + [0x0D, 0x0A]
    }
}
