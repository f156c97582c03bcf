// SPDX-License-Identifier: MIT

/// An interface that is announced and documented but has nothing behind it yet: all it has answers `NotSupported`.
public final class AbsentInterface: InterfaceImplementation {
    public let description: InterfaceDescription

    /// Makes an interface that is described so.
    public init(_ description: InterfaceDescription) {
        self.description = description
    }

    public func invoke(_ index: Int, _ call: MethodCall) throws(DBusError) {
        throw absence
    }

    public func property(_ index: Int) throws(DBusError) -> any WireCodable {
        throw absence
    }

    public func setProperty(_ index: Int, to value: Value, _ call: MethodCall) throws(DBusError) {
        throw absence
    }

    private var absence: DBusError {
        DBusError(.notSupported, "\(description.name) is not there yet in this version")
    }
}
