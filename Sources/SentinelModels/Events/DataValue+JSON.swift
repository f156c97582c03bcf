// SPDX-License-Identifier: MIT

extension DataValue {
    /// The key of the one member by which JSON stands for bytes, in Base64 (RFC 4648).
    private static let bytesKey = "$bytes"

    /// The value as JSON, from which it comes back with its type: a double has a point or an exponent, bytes are
    /// `{"$bytes": "…"}`, and a key that begins with `$` gets another one before it.
    public var json: JSONValue {
        switch self {
        case .boolean(let truth): .bool(truth)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        case .bytes(let bytes): [Self.bytesKey: .string(Base64.encode(bytes))]
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let members): Self.json(of: members)
        }
    }

    /// The members as a JSON object, in the order of the keys' bytes.
    public static func json(of members: [DataKey: DataValue]) -> JSONValue {
        .object(
            members.sorted { $0.key < $1.key }.map { member in
                (
                    key: member.key.text.utf8.first == UInt8(ascii: "$") ? "$\(member.key.text)" : member.key.text,
                    value: member.value.json
                )
            })
    }

    /// The value that JSON stands for.
    ///
    /// - Throws: `invalidArgs` for null and for what is no value of an event: whole numbers past 64 bits with a sign,
    ///   bytes that are no Base64.
    public init(json: JSONValue) throws(SentinelError) {
        switch json {
        case .bool(let truth): self = .boolean(truth)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .text(text)
        case .array(let elements):
            var values: [DataValue] = []
            for element in elements {
                values.append(try DataValue(json: element))
            }
            self = .array(values)
        case .object(let members):
            if members.count == 1, let member = members.first, member.key == Self.bytesKey {
                self = .bytes(try Self.bytes(member.value))
            } else {
                self = .dictionary(try Self.members(of: members))
            }
        case .null: throw SentinelError(.invalidArgs, "null is no value of an event")
        case .unsigned: throw SentinelError(.invalidArgs, "a whole number is past 64 bits with a sign")
        }
    }

    /// The members that a JSON object stands for.
    ///
    /// - Throws: `invalidArgs` as ``init(json:)``, and for a key that begins with one `$` alone.
    public static func members(
        of members: [(key: String, value: JSONValue)]
    ) throws(SentinelError) -> [DataKey: DataValue] {
        var values: [DataKey: DataValue] = [:]
        for (key, value) in members {
            let isEscaped = key.utf8.starts(with: "$$".utf8)
            guard isEscaped || key.utf8.first != UInt8(ascii: "$") else {
                throw SentinelError(
                    .invalidArgs, "a key of data that begins with $ has another one before it: $$ and the rest")
            }
            values[DataKey(isEscaped ? String(key.dropFirst()) : key)] = try DataValue(json: value)
        }
        return values
    }

    private static func bytes(_ json: JSONValue) throws(SentinelError) -> [UInt8] {
        guard case .string(let text) = json, let bytes = Base64.decode(text) else {
            throw SentinelError(.invalidArgs, "\(bytesKey) is not Base64")
        }
        return bytes
    }
}
