// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SystemFacts

/// A value as a screen shows it.
protocol ScreenValue {
    var screenValue: Value { get }
}

extension String: ScreenValue {
    var screenValue: Value { .string(ShownText.make(self)) }
}

extension Bool: ScreenValue {
    var screenValue: Value { .boolean(self) }
}

extension Double: ScreenValue {
    /// Rounded for show: figures have no more meaning than that.
    var screenValue: Value { .double((self * 100).rounded() / 100) }
}

extension Int64: ScreenValue {
    var screenValue: Value { .int64(self) }
}

extension UInt32: ScreenValue {
    var screenValue: Value { .int64(Int64(self)) }
}

extension UInt64: ScreenValue {
    var screenValue: Value { .int64(Int64(clamping: self)) }
}

extension Item {
    /// A fact that is known.
    static func fact(
        _ id: String, _ title: String, _ value: some ScreenValue, unit: String? = nil, description: String? = nil,
        kind: String = "info"
    ) -> Item {
        var attributes: [Key: Value] = [:]
        attributes["unit"] = unit.map(Value.string)
        attributes["description"] = description.map { .string(ShownText.make($0)) }
        return Item(id: id, kind: kind, title: title, value: value.screenValue, attributes: attributes)
    }

    /// A fact that cannot be had, with the reason.
    static func absent(_ id: String, _ title: String, because reason: String, kind: String = "info") -> Item {
        Item(
            id: id, kind: kind, title: title, value: .string(""), attributes: ["error": .string(ShownText.make(reason))]
        )
    }

    /// A fact that is known or not.
    static func fact<Known: ScreenValue>(
        _ id: String, _ title: String, _ value: Known?, unit: String? = nil, description: String? = nil,
        otherwise reason: String, kind: String = "info"
    ) -> Item {
        guard let value else { return absent(id, title, because: reason, kind: kind) }
        return fact(id, title, value, unit: unit, description: description, kind: kind)
    }

    /// A fact that was looked for, with what came of it.
    static func fact<Known: ScreenValue>(
        _ id: String, _ title: String, _ result: Fact<Known>, unit: String? = nil, kind: String = "info"
    ) -> Item {
        switch result {
        case .success(let value): fact(id, title, value, unit: unit, kind: kind)
        case .failure(let error): absent(id, title, because: error.description, kind: kind)
        }
    }
}

extension Section {
    /// A section without attributes.
    init(_ id: String, _ title: String, _ items: [Item]) {
        self.init(id: id, title: title, items: items, attributes: [:])
    }
}
