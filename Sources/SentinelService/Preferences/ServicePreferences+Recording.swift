// SPDX-License-Identifier: MIT

import SentinelModels

extension ServicePreferences {
    private static let recordingKeys = ["Capturing", "RetentionDays", "MaxBytes"]

    /// Declares `Capturing`, `RetentionDays` and `MaxBytes`, each of which is one state with the property of that name of
    /// `org.sentinel.Events1`.
    func addRecording(_ settings: EventSettings) {
        add(
            "Capturing", "Record events", .boolean(true), Self.attributes("Whether anything is recorded"),
            Backing(
                read: { .boolean(settings.isCapturing) },
                write: { value, completion in
                    if value == .boolean(true) {
                        settings.resume(completion: completion)
                    } else {
                        settings.pause(until: EventSettings.untilResumed, completion: completion)
                    }
                }))
        var days = Self.attributes("For how many days events are kept, 0 for ever")
        days.minimum = .integer(0)
        days.maximum = .integer(Int64(RetentionRange.longestDays))
        add(
            "RetentionDays", "Days to keep", .integer(Int64(RetentionRange.standardDays)), days,
            Backing(
                read: { .integer(Int64(settings.retentionDays)) },
                write: { value, completion in
                    guard case .integer(let number) = value, let days = UInt32(exactly: number) else {
                        let error = SentinelError(.invalidValue, "preference RetentionDays: expected a number of days")
                        return completion(.failure(error))
                    }
                    settings.setRetentionDays(days, completion: completion)
                }))
        var bytes = Self.attributes("How large the database may become in bytes, 0 for no limit, else 1 MiB at least")
        bytes.minimum = .integer(0)
        add(
            "MaxBytes", "Largest size", .integer(0), bytes,
            Backing(
                read: { .integer(Int64(clamping: settings.maxBytes)) },
                write: { value, completion in
                    guard case .integer(let number) = value, number == 0 || number >= RetentionRange.smallestBytes,
                        let bytes = UInt64(exactly: number)
                    else {
                        let wanted = "0 (no limit), or bytes from \(RetentionRange.smallestBytes) to \(Int64.max)"
                        return completion(
                            .failure(SentinelError(.invalidValue, "preference MaxBytes: expected \(wanted)")))
                    }
                    settings.setMaxBytes(bytes, completion: completion)
                }))
    }

    /// Tells that one of them may have been changed elsewhere.
    func recordingChanged() {
        changed(Self.recordingKeys)
    }

    private static func attributes(_ description: String) -> PreferenceAttributes {
        var attributes = PreferenceAttributes()
        attributes.section = "Events"
        attributes.description = description
        return attributes
    }
}
