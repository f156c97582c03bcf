// SPDX-License-Identifier: MIT

/// One of the values that a preference can have, with its title. The value is what is kept, the title is for people.
public struct PreferenceChoice: Sendable {
    /// What is kept and compared.
    public let value: PreferenceValue
    /// What people see; two choices may have the same.
    public let title: String

    /// A choice with its title.
    public init(_ value: PreferenceValue, title: String) {
        self.value = value
        self.title = title
    }
}
