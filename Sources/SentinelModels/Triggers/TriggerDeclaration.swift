// SPDX-License-Identifier: MIT

/// A trigger as an application, or its manifest, declares it; what its options mean is for its kind to say.
public struct TriggerDeclaration: Hashable, Sendable {
    /// Its kind.
    public let kind: Name
    /// Its options: truth values, numbers and texts.
    public let options: [Name: PreferenceValue]

    /// A trigger of a kind.
    public init(kind: Name, options: [Name: PreferenceValue]) {
        self.kind = kind
        self.options = options
    }
}
