// SPDX-License-Identifier: MIT

/// Which events are meant: those that fit all that is given. Without anything it is every event.
public struct EventFilter: Hashable, Sendable {
    /// It has one of these ids; nil for any.
    public var ids: [EventID]?
    /// It begins at this time or later.
    public var start: Timestamp?
    /// It begins before this time.
    public var end: Timestamp?
    /// It has this type.
    public var type: Name?
    /// Its type begins so.
    public var typePrefix: String?
    /// It has this source.
    public var source: Name?
    /// Its type, its source or a text in its data holds this, regardless of the case of letters.
    public var text: String?

    /// A filter that every event fits.
    public init() {}

    /// Whether every event fits because nothing is given.
    public var isEmpty: Bool { self == EventFilter() }
}
