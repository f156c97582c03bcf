// SPDX-License-Identifier: MIT

/// The right to answer a call once with results of the given types.
public struct Reply<each Result: WireCodable>: Sendable {
    /// The call to answer.
    public let call: MethodCall

    /// Makes the right to answer a call.
    public init(_ call: MethodCall) {
        self.call = call
    }

    /// Answers with results.
    public func callAsFunction(_ results: repeat each Result) {
        call.answer { (writer) throws(DBusError) in
            repeat try writer.write(each results)
        }
    }

    /// Answers with an error.
    public func fail(_ error: DBusError) {
        call.fail(error)
    }
}
