// SPDX-License-Identifier: MIT

/// An interface whose properties are known by name: what the interface generator makes of one that has any.
public protocol InterfaceWithProperties {
    /// The properties; the raw value of each is its place in the description.
    associatedtype Property: RawRepresentable<Int>

    /// What the interface consists of.
    static var description: InterfaceDescription { get }
}
