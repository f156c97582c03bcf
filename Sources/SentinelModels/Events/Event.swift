// SPDX-License-Identifier: MIT

/// Something that happened: a type and a source at a time, perhaps for a while, with data.
public struct Event: Hashable, Sendable {
    /// The longest that an event may last: 30 days, in microseconds.
    public static let longestDuration: Int64 = 30 * 86_400 * 1_000_000

    /// Its identity.
    public var id: EventID
    /// When it began.
    public var timestamp: Timestamp
    /// What it is, such as `app.launch`.
    public var type: Name
    /// What it is of, most often an application id.
    public var source: Name
    /// How long it lasted in microseconds, 0 to ``longestDuration``; nil for none, and while it is open.
    public var duration: Int64?
    /// What applies to it beside.
    public var marks: Marks
    /// What was recorded with it.
    public var data: [DataKey: DataValue]

    /// What can apply to an event.
    public struct Marks: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Its duration is still to come.
        public static let open = Marks(rawValue: 1)
        /// It was open when the service ended, and was closed at the time of the last commit.
        public static let interrupted = Marks(rawValue: 2)
        /// A rule has removed data of it.
        public static let redacted = Marks(rawValue: 4)
    }

    /// An event of these parts, which are taken as they are.
    public init(
        id: EventID, timestamp: Timestamp, type: Name, source: Name, duration: Int64? = nil, marks: Marks = [],
        data: [DataKey: DataValue] = [:]
    ) {
        self.id = id
        self.timestamp = timestamp
        self.type = type
        self.source = source
        self.duration = duration
        self.marks = marks
        self.data = data
    }

    /// Whether the event begins at a time or later, lasts beyond it, or is open.
    public func reaches(_ time: Timestamp) -> Bool {
        let (end, isBeyondAll) = timestamp.microseconds.addingReportingOverflow(duration ?? 0)
        return marks.contains(.open) || timestamp >= time || isBeyondAll || end > time.microseconds
    }
}
