// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// What a caller says of an event beside its type and source.
struct RecordOptions {
    /// When it began; nil for when the call came in.
    var timestamp: Timestamp?
    /// How long it lasted, in microseconds.
    var duration: Int64?
    /// The identity that the caller has given it.
    var id: EventID?
    /// Whether its duration is still to come.
    var isOpen = false
    /// What is to be kept with it.
    var data: [DataKey: DataValue] = [:]

    /// Reads the options of `Record`.
    ///
    /// - Throws: `DBusError` or `SentinelError` with code `invalidArgs`.
    init(options: [Key: Value]) throws {
        if let microseconds = try options.option("timestamp", as: Int64.self) {
            timestamp = try Self.naming("timestamp") { () throws(SentinelError) in
                try Timestamp(microseconds: microseconds)
            }
        }
        if let seconds = try options.option("duration", as: Double.self) {
            duration = try EventDuration.microseconds(seconds)
        }
        isOpen = try options.option("open", as: Bool.self) ?? false
        guard !isOpen || duration == nil else {
            throw SentinelError(.invalidArgs, "an open event has no duration yet: give one of open and duration")
        }
        try readCommon(options)
    }

    /// Reads the fields and options of an event of `RecordBatch`.
    ///
    /// - Throws: `DBusError` or `SentinelError` with code `invalidArgs`.
    init(timestamp microseconds: Int64, duration seconds: Double, options: [Key: Value]) throws {
        if microseconds != 0 {
            timestamp = try Timestamp(microseconds: microseconds)
        }
        duration = try EventDuration.microseconds(seconds)
        try readCommon(options)
    }

    private static func naming<Part>(
        _ key: Key, _ body: () throws(SentinelError) -> Part
    ) throws(SentinelError) -> Part {
        do throws(SentinelError) {
            return try body()
        } catch {
            throw SentinelError(error.code, "option \(key): \(error.message)", underlying: error)
        }
    }

    private mutating func readCommon(_ options: [Key: Value]) throws {
        if let text = try options.option("id", as: String.self) {
            id = try Self.naming("id") { () throws(SentinelError) in try EventID(text) }
        }
        if let members = try options.option("data", as: [Key: Value].self) {
            data = try DataReader.read(members)
        }
    }
}
