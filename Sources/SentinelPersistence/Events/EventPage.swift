// SPDX-License-Identifier: MIT

public import SentinelModels

/// A part of a list of events.
public struct EventPage: Hashable, Sendable {
    /// The events, newest first.
    public var events: [Event]
    /// Where the list goes on; nil where it does not.
    public var next: EventCursor?
}
