// SPDX-License-Identifier: MIT

/// How a report is written.
public enum ReportFormat: String, CaseIterable, Sendable {
    /// One page of HTML with charts, which refers to nothing outside of it.
    case html
    /// Plain text for a terminal of 80 columns, without escape sequences.
    case text
    /// One JSON document with all the figures.
    case json
}
