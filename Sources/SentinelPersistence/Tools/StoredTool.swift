// SPDX-License-Identifier: MIT

public import SentinelModels

/// A tool of an application as it is kept.
public struct StoredTool: Equatable, Sendable {
    /// Who has declared it.
    public enum Origin: String, Sendable {
        /// The application, or somebody in its stead, over the bus.
        case application
        /// A manifest.
        case manifest
    }

    /// Whose tool it is.
    public let application: ApplicationID
    /// The tool as it was declared.
    public let tool: Tool
    /// Where it stands among the application's; positions need not follow each other closely.
    public let position: Int64
    /// Who has declared it.
    public let origin: Origin
    /// The values that items were given after the declaration.
    public var values: [Name: PreferenceValue]

    /// A tool of an application.
    public init(
        application: ApplicationID, tool: Tool, position: Int64, origin: Origin, values: [Name: PreferenceValue] = [:]
    ) {
        self.application = application
        self.tool = tool
        self.position = position
        self.origin = origin
        self.values = values
    }

    /// How many bytes it takes with its values, as limits count them.
    public var byteCount: Int { tool.byteCount + valueByteCount }

    /// How many bytes its values take, as limits count them.
    public var valueByteCount: Int { values.reduce(0) { $0 + $1.value.byteCount } }

    /// The same at another place.
    public func moved(to position: Int64) -> StoredTool {
        StoredTool(application: application, tool: tool, position: position, origin: origin, values: values)
    }
}
