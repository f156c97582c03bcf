// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

extension ScalarValue {
    /// The value that a variant holds; nil where it is none: a path, a signature, a container, an integer past 64 bits
    /// with a sign, a number that is not finite.
    init?(_ value: Value) {
        switch value.unwrapped {
        case .boolean(let value): self = .boolean(value)
        case .byte(let value): self = .integer(Int64(value))
        case .int16(let value): self = .integer(Int64(value))
        case .uint16(let value): self = .integer(Int64(value))
        case .int32(let value): self = .integer(Int64(value))
        case .uint32(let value): self = .integer(Int64(value))
        case .int64(let value): self = .integer(value)
        case .uint64(let value):
            guard let value = Int64(exactly: value) else { return nil }
            self = .integer(value)
        case .double(let value):
            guard value.isFinite else { return nil }
            self = .double(value)
        case .string(let value): self = .text(value)
        default: return nil
        }
    }

    /// The value as it is given out: `b`, `x`, `d` or `s`.
    var busValue: Value {
        switch self {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .int64(value)
        case .double(let value): .double(value)
        case .text(let value): .string(value)
        }
    }
}

extension ToolItem {
    /// The value that was given for this item, in the type that it is kept and given out in.
    ///
    /// - Throws: `invalidValue` that names the item, the type and the range wanted.
    func canonical(_ value: Value) throws(SentinelError) -> ScalarValue {
        guard let scalar = ScalarValue(value) else {
            throw SentinelError(
                .invalidValue,
                "item \(id): expected \(rule?.wanted ?? "b, x, d or s"), got a value of type \(value.unwrapped.type) "
                    + "that does not fit")
        }
        do {
            return try canonical(scalar)
        } catch {
            throw SentinelError(
                error.code, "item \(id): \(error.message), got a value of type \(value.unwrapped.type)")
        }
    }
}
