// SPDX-License-Identifier: MIT

/// A filter made ready for being held against many events.
public struct EventMatcher: Sendable {
    private let filter: EventFilter
    private let ids: Set<EventID>?
    private let search: TextSearch?

    /// Makes a filter ready, which costs time in proportion to its ids.
    public init(_ filter: EventFilter) {
        self.filter = filter
        ids = filter.ids.map { Set($0) }
        search = filter.text.map { TextSearch($0) }
    }

    /// Whether an event fits.
    public func matches(_ event: Event) -> Bool {
        if let ids, !ids.contains(event.id) { return false }
        if let start = filter.start, event.timestamp < start { return false }
        if let end = filter.end, event.timestamp >= end { return false }
        if let type = filter.type, event.type != type { return false }
        if let prefix = filter.typePrefix, !event.type.text.utf8.starts(with: prefix.utf8) { return false }
        if let source = filter.source, event.source != source { return false }
        return search?.finds(in: event) ?? true
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
        var folded = text.lowercased()
        return folded.withUTF8 { bytes in
            guard bytes.count >= wanted.count else { return false }
            return (0...(bytes.count - wanted.count)).contains { start in
                bytes[start] == first && bytes[start...].starts(with: wanted)
            }
        }
    }
}
