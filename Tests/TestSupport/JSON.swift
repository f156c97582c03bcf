// SPDX-License-Identifier: MIT

import Foundation

/// A JSON value, to look into what programs print.
public enum JSON: Hashable, Sendable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Reads a document.
    ///
    /// - Throws: ``TestSupportError`` that holds the text if it is none.
    public init(_ text: some StringProtocol) throws {
        do {
            self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        } catch {
            throw TestSupportError("no JSON (\(error)): \(text)")
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    /// The text, if it is one.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements, if it is an array.
    public var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// A member of an object; nil if there is none.
    public subscript(key: String) -> JSON? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// An element of an array; nil if there is none.
    public subscript(index: Int) -> JSON? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral text: String) { self = .string(text) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members) { $1 })
    }
}
