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
    /// Bytes of a title, a description or another text for people.
    public var labelBytes = 4 << 10
    /// Bytes of one tool: its ids, texts and values; and of the values that its items are given later.
    public var toolBytes = 256 << 10
    /// Bytes of all tools of one application, with the values that items are given later.
    public var applicationBytes = 1 << 20
    /// Bytes of all tools of all applications, with the values that items are given later.
    public var totalBytes = 64 << 20

    /// The limits of the service.
    public static let standard = ToolLimits()

    /// No limits, for what was within them when it was declared.
    public static let none: ToolLimits = {
        var limits = ToolLimits()
        for limit in [
            \.tools, \.sections, \.items, \.choices, \.parameters, \.labelBytes, \.toolBytes, \.applicationBytes,
            \.totalBytes,
        ] as [WritableKeyPath<ToolLimits, Int>] {
            limits[keyPath: limit] = .max
        }
        return limits
    }()

    /// Limits to change.
    public init() {}
}
