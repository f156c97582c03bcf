// SPDX-License-Identifier: MIT

extension EventFilter {
    /// Whether an event fits.
    public func matches(_ event: Event) -> Bool {
        if let ids, !ids.contains(event.id) { return false }
        if let start, event.timestamp < start { return false }
        if let end, event.timestamp >= end { return false }
        if let type, event.type != type { return false }
        if let typePrefix, !event.type.text.utf8.starts(with: typePrefix.utf8) { return false }
        if let source, event.source != source { return false }
        if let text { return TextSearch(text).finds(in: event) }
        return true
    }
}

extension Event {
    /// Whether the event begins at a time or later, lasts beyond it, or is open.
    public func reaches(_ time: Timestamp) -> Bool {
        let (end, isBeyondAll) = timestamp.microseconds.addingReportingOverflow(duration ?? 0)
        return marks.contains(.open) || timestamp >= time || isBeyondAll || end > time.microseconds
    }
}

/// Looks for a text regardless of the case of letters.
private struct TextSearch {
    private let wanted: [UInt8]

    init(_ text: String) {
        wanted = Array(text.lowercased().utf8)
    }

    func finds(in event: Event) -> Bool {
        finds(in: event.type.text) || finds(in: event.source.text) || event.data.values.contains(where: finds)
    }

    private func finds(in value: DataValue) -> Bool {
        switch value {
        case .text(let text): finds(in: text)
        case .array(let values): values.contains(where: finds)
        case .dictionary(let members): members.values.contains(where: finds)
        case .boolean, .integer, .double, .bytes: false
        }
    }

    private func finds(in text: String) -> Bool {
        guard let first = wanted.first else { return true }
        let bytes = Array(text.lowercased().utf8)
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { start in
            bytes[start] == first && bytes[start...].starts(with: wanted)
        }
    }
}
