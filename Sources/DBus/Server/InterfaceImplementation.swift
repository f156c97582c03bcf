// SPDX-License-Identifier: MIT

/// An interface as an object offers it.
///
/// The interface generator makes one for each interface, which decodes and hands on to a typed handler. All is called
/// on the loop's thread.
public protocol InterfaceImplementation: AnyObject {
    /// What the interface consists of.
    var description: InterfaceDescription { get }

    /// Calls a method, whose arguments have the signature that the description says.
    ///
    /// - Parameter index: the method's place in the description.
    /// - Throws: what the caller shall be told.
    func invoke(_ index: Int, _ call: MethodCall) throws(DBusError)

    /// Reads a property; must not wait.
    ///
    /// - Parameter index: the property's place in the description.
    /// - Throws: why it cannot be had.
    func property(_ index: Int) throws(DBusError) -> any WireCodable

    /// Writes a property that can be written, and answers the call, which has no results; at once or later.
    ///
    /// - Parameter index: the property's place in the description.
    /// - Throws: what the caller shall be told.
    func setProperty(_ index: Int, to value: Value, _ call: MethodCall) throws(DBusError)
}

extension InterfaceImplementation {
    /// Calls a method and answers with the error if it throws one.
    func invoke(_ index: Int, answering call: MethodCall) {
        do throws(DBusError) {
            try invoke(index, call)
        } catch {
            call.fail(error)
        }
    }
}

/// What an interface without properties has of them.
extension InterfaceImplementation {
    public func property(_ index: Int) throws(DBusError) -> any WireCodable {
        throw DBusError(.unknownProperty, "\(description.name) has no properties")
    }

    public func setProperty(_ index: Int, to value: Value, _ call: MethodCall) throws(DBusError) {
        throw DBusError(.unknownProperty, "\(description.name) has no properties that can be written")
    }
}
