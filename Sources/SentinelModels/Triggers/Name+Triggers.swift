// SPDX-License-Identifier: MIT

/// The triggers that every application has; their ids are their kinds as well.
extension Name {
    /// The signal `org.sentinel.Notification.Trigger`.
    public static let notificationTrigger = Name(unchecked: "notification")
    /// The method `Trigger` of `org.sentinel.Sentinel1`.
    public static let methodTrigger = Name(unchecked: "method")
}
