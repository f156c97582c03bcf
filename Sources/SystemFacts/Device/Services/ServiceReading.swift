// SPDX-License-Identifier: MIT

import DBus

/// What a system service has told of itself so far: the properties of one object, or why there are none.
///
/// A property of a wrong type or with a value that cannot be is unknown for its fact alone.
struct ServiceReading: Sendable {
    /// The reason why a service has told nothing that has not been asked yet.
    static let unasked = "not asked yet"

    /// What the service is called where a fact tells its source.
    let label: String
    /// The properties; nil if the service has told none.
    private(set) var properties: [Key: Value]?
    /// Why there are none.
    private var reason: String

    /// A service that has told nothing.
    init(_ label: String, absent reason: String) {
        self.label = label
        self.reason = reason
    }

    /// A service that has told its properties.
    init(_ label: String, _ properties: [Key: Value]) {
        self.label = label
        self.properties = properties.mapValues(Self.clip)
        reason = ""
    }

    /// The service with the reason why it tells nothing; nil for one that does and for one that is yet to be asked.
    var lack: String? { properties == nil && reason != Self.unasked ? "\(label): \(reason)" : nil }

    /// Takes changes over.
    mutating func change(_ changes: [Key: Value]) {
        properties?.merge(changes.mapValues(Self.clip)) { $1 }
    }

    /// A property as a value of one type; `body` gives nil for another or one that cannot be.
    func fact<Contents>(_ key: Key, _ expected: String, _ body: (Value) -> Contents?) -> DeviceFact<Contents> {
        guard let properties else { return .unknown("\(label): \(reason)") }
        guard let value = properties[key] else { return .unknown("\(label): no \(key)") }
        guard let contents = body(value) else { return .unknown("\(label): \(key) is not \(expected)") }
        return .known(contents, from: label)
    }

    /// A property that is a text for people.
    func text(_ key: Key) -> DeviceFact<String> {
        let text: DeviceFact<String> = fact(key, "text") { value in
            guard case .string(let text) = value else { return nil }
            return text
        }
        return text.value.map { FactText.fact($0, from: label).explained(key) } ?? text
    }

    /// A property that is true or false.
    func truth(_ key: Key) -> DeviceFact<Bool> {
        fact(key, "true or false") { value in
            guard case .boolean(let truth) = value else { return nil }
            return truth
        }
    }

    /// A property that is one of a service's numbered kinds.
    func code(_ key: Key) -> DeviceFact<UInt32> {
        fact(key, "a number (u)") { value in
            guard case .uint32(let code) = value else { return nil }
            return code
        }
    }

    /// Keeps what a fact can need of a value: a service that sends a megabyte does not fill the memory.
    private static func clip(_ value: Value) -> Value {
        switch value {
        case .string(let text) where text.utf8.count > FactText.longest:
            .string(String(text.unicodeScalars.prefix(FactText.longest + 1)))
        case .array, .dictionary, .structure, .variant, .fileDescriptor: .bytes([])
        default: value
        }
    }
}

extension DeviceFact {
    /// Names the property in the reason.
    fileprivate func explained(_ key: Key) -> DeviceFact {
        guard value == nil, let reason else { return self }
        return .unknown("\(reason) (\(key))")
    }
}
