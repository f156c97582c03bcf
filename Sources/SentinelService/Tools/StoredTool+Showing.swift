// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence

extension StoredTool {
    /// The values of the moment by item; without items that have none.
    var valuesInForce: [Name: PreferenceValue] {
        tool.sections.itemsByID.compactMapValues(\.value).merging(values) { $1 }
    }

    var document: JSONValue {
        let items = sections.flatMap(\.items).filter { !$0.attributes.isSensitive && !$0.attributes.isLive }
        return [
            "id": .string(tool.id.text),
            "name": .string(tool.name),
            "kind": .string(tool.kind.rawValue),
            "values": .object(items.compactMap { item in item.value.map { (item.id.text, $0.json) } }),
        ]
    }

    /// The sections with the values of the moment.
    var sections: [ToolSection] {
        var sections = tool.sections
        for section in sections.indices {
            for item in sections[section].items.indices {
                guard let value = values[sections[section].items[item].id] else { continue }
                sections[section].items[item].show(value)
            }
        }
        return sections
    }
}

extension ToolItem {
    /// Takes a value in place of the declared one.
    mutating func show(_ value: PreferenceValue) {
        var attributes = attributes
        attributes.isModified = value != self.value
        self = ToolItem(
            id: id, kind: kind, title: title, value: value, rule: rule, attributes: attributes, target: target,
            parameters: parameters)
    }

    /// Says why the value cannot be had.
    mutating func showAbsence(because reason: String) {
        var attributes = attributes
        attributes.error = reason
        self = ToolItem(
            id: id, kind: kind, title: title, value: nil, rule: rule, attributes: attributes, target: target,
            parameters: parameters)
    }
}
