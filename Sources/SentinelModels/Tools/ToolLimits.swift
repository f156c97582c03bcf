// SPDX-License-Identifier: MIT

/// How much applications may declare as tools. Past a limit a declaration fails with `limitsExceeded`.
public struct ToolLimits: Sendable {
    /// Tools of one application.
    public var tools = 100
    /// Sections of one tool.
    public var sections = 100
    /// Items of one tool, in all its sections.
    public var items = 1000
    /// Choices of one item or parameter.
    public var choices = 200
    /// Parameters of one action.
    public var parameters = 32
    /// Bytes of one tool: its ids, texts and values.
    public var toolBytes = 256 << 10
    /// Bytes of all tools of one application.
    public var applicationBytes = 1 << 20
    /// Bytes of all tools of all applications.
    public var totalBytes = 64 << 20

    /// The limits of the service.
    public static let standard = ToolLimits()

    /// Limits to change.
    public init() {}
}
