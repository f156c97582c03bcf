// SPDX-License-Identifier: MIT

/// What a notification server can show (Desktop Notifications Specification, `GetCapabilities`).
struct NotificationCapabilities: Equatable, Sendable {
    let hasActions: Bool
    let hasBody: Bool
    let hasMarkup: Bool

    /// The capabilities of these names; others are of no interest here.
    init(_ names: [String]) {
        hasActions = names.contains("actions")
        hasBody = names.contains("body")
        hasMarkup = names.contains("body-markup")
    }
}
