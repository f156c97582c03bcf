// SPDX-License-Identifier: MIT

/// What events are told apart by.
public enum EventDimension: String, CaseIterable, Sendable {
    /// Their type.
    case type
    /// The application, or whatever else they are of.
    case source
}
