// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

extension Section {
    /// A section of a tool as it is given out.
    init(_ section: ToolSection) {
        var attributes: [Key: Value] = [:]
        attributes["description"] = section.description.map(Value.string)
        attributes["icon"] = section.icon.map(Value.string)
        attributes["footer"] = section.footer.map(Value.string)
        self.init(
            id: section.id.text, title: section.title, items: section.items.map { Item($0) }, attributes: attributes)
    }
}

extension Item {
    /// An item of a tool as it is given out.
    init(_ item: ToolItem) {
        var attributes = item.attributes.busOptions
        attributes["writable"] = item.isWritable ? .boolean(true) : nil
        if let rule = item.rule {
            attributes.merge(rule.busOptions) { $1 }
        }
        attributes["target"] = item.target.map { .string($0.text) }
        if !item.parameters.isEmpty {
            attributes["parameters"] = .structures(item.parameters.map(\.busFields), of: "(sssa{sv})")
        }
        self.init(
            id: item.id.text, kind: item.kind.name, title: item.title,
            value: item.value.map { Value($0) } ?? .string(""),
            attributes: attributes)
    }
}

extension ToolItemAttributes {
    /// What is said, but for whether the value can be changed: that depends on the kind too.
    fileprivate var busOptions: [Key: Value] {
        var options: [Key: Value] = [:]
        options["description"] = description.map(Value.string)
        options["unit"] = unit.map(Value.string)
        options["icon"] = icon.map(Value.string)
        options["sensitive"] = isSensitive ? .boolean(true) : nil
        options["live"] = isLive ? .boolean(true) : nil
        options["modified"] = isModified ? .boolean(true) : nil
        options["error"] = error.map(Value.string)
        return options
    }
}

extension ValueRule {
    fileprivate var busOptions: [Key: Value] {
        var options: [Key: Value] = [:]
        options["min"] = minimum.map { Value($0) }
        options["max"] = maximum.map { Value($0) }
        options["max_length"] = maximumLength.map(Value.uint32)
        if !choices.isEmpty {
            options["choices"] = .choices(choices)
        }
        return options
    }
}

extension ToolParameter {
    fileprivate var busFields: [Value] {
        let attributes = attributes.busOptions.merging(rule.busOptions) { $1 }
        return [.string(name.text), .string(rule.kind.rawValue), .string(title), .options(attributes)]
    }
}

extension Value {
    /// Choices as items have them.
    static func choices(_ choices: [PreferenceChoice]) -> Value? {
        .structures(choices.map { [.variant(Value($0.value)), .string($0.title)] }, of: "(vs)")
    }

    /// An array of structures of one type.
    fileprivate static func structures(_ structures: [[Value]], of type: ValueType) -> Value? {
        do throws(DBusError) {
            return .array(try ArrayValue(structures.map(Value.structure), elementType: type))
        } catch {
            // The fields are of that type, whatever values they have.
            return nil
        }
    }
}
