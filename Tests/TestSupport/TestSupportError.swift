// SPDX-License-Identifier: MIT

/// Something that a test needs and does not get.
public struct TestSupportError: Error, CustomStringConvertible {
    /// What is missing, for a person.
    public let description: String

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
    }
}
