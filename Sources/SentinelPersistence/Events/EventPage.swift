// SPDX-License-Identifier: MIT

public import SentinelModels

/// A part of a list of events.
public struct EventPage: Hashable, Sendable {
    /// The events, newest first.
    public var events: [Event]
    /// Where the list goes on; nil where it does not.
    public var next: EventCursor?
}

extension Event {
    /// About how many bytes it takes on the bus.
    var busSize: Int {
        data.reduce(128 + type.text.utf8.count + source.text.utf8.count) { size, member in
            size + member.key.text.utf8.count + 16 + member.value.busSize
        }
    }
}

extension DataValue {
    /// About how many bytes it takes on the bus, as a variant.
    fileprivate var busSize: Int {
        switch self {
        case .boolean: 8
        case .integer, .double: 16
        case .text(let text): 12 + text.utf8.count
        case .bytes(let bytes): 12 + bytes.count
        case .array(let values): values.reduce(16) { $0 + $1.busSize }
        case .dictionary(let members): members.reduce(16) { $0 + 16 + $1.key.text.utf8.count + $1.value.busSize }
        }
    }
}
