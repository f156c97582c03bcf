// SPDX-License-Identifier: MIT

public import SentinelModels

/// What a window of time holds.
public struct Summary: Equatable, Sendable {
    /// From when to when, in microseconds since the Unix epoch.
    public var window: Range<Int64>
    /// By type, without types of which there is nothing.
    public var types: [Name: Amount]
    /// Altogether.
    public var total: Amount
    /// How many sessions touch the window, at a gap of 300 s; nil where only some events are meant of a source.
    public var sessionCount: UInt64?
    /// How many sources have an event that starts in the window.
    public var applicationCount: UInt64

    /// A summary of a window of which there is nothing.
    public init(window: Range<Int64>) {
        self.window = window
        types = [:]
        total = Amount()
        sessionCount = 0
        applicationCount = 0
    }
}

/// What a day of a time zone holds.
public struct DailySummary: Equatable, Sendable {
    /// The day.
    public var day: CalendarDay
    /// The zone's name.
    public var zone: String
    /// What it holds; a day that clocks leave out has an empty window.
    public var summary: Summary
}
