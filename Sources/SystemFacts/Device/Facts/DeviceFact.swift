// SPDX-License-Identifier: MIT

/// One fact of the machine or the session, with where it comes from or why it cannot be had.
public struct DeviceFact<Value: Sendable>: Sendable {
    /// The fact itself; nil if it cannot be had.
    public let value: Value?
    /// Where the value comes from: a service such as `hostnamed`, a file such as `/etc/hostname`, a variable of the
    /// environment such as `TZ`; nil without a value.
    public let source: String?
    /// Why there is no value, or why a better source gave none; nil if the best source answered.
    public let reason: String?

    private init(value: Value?, source: String?, reason: String?) {
        self.value = value
        self.source = source
        self.reason = reason
    }

    /// A fact that is known.
    static func known(_ value: Value, from source: String) -> DeviceFact {
        DeviceFact(value: value, source: source, reason: nil)
    }

    /// A fact that cannot be had.
    static func unknown(_ reason: String) -> DeviceFact {
        DeviceFact(value: nil, source: nil, reason: reason)
    }

    /// This fact, or another source's where this one has no value; the reasons of both are kept.
    func orElse(_ other: @autoclosure () -> DeviceFact) -> DeviceFact {
        guard value == nil else { return self }
        let other = other()
        let reasons = [reason, other.reason].compactMap { $0 }
        return DeviceFact(value: other.value, source: other.source, reason: reasons.joined(separator: "; "))
    }

    /// The same fact with its value turned into another; `body` gives nil for a value that is not allowed.
    func map<Other>(_ body: (Value) -> Other?, otherwise problem: String) -> DeviceFact<Other> {
        guard let value, let source else { return .unknown(reason ?? "it is not known") }
        guard let other = body(value) else { return .unknown("\(source): \(problem)") }
        return .known(other, from: source)
    }
}

extension DeviceFact: Equatable where Value: Equatable {}
