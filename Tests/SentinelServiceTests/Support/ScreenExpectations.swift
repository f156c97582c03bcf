// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import Testing

extension [Section] {
    /// The items of all sections.
    var allItems: [Item] { flatMap(\.items) }

    /// An item of any section.
    subscript(id: String) -> Item? { allItems.first { $0.id == id } }

    /// The value of an item; nil if there is none or it cannot be had.
    func value(_ id: String) -> Value? {
        guard let item = self[id], item.attributes["error"] == nil else { return nil }
        return item.value
    }

    /// Why the value of an item cannot be had; nil if it can.
    func error(_ id: String) -> String? {
        guard case .string(let reason)? = self[id]?.attributes["error"] else { return nil }
        return reason
    }
}

/// Expects what holds for every screen of facts: unique ids, kinds with values that fit, reasons for what is missing, and
/// nothing that does more on a terminal than stand there.
func expectSound(_ screen: [Section], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(Set(screen.map(\.id)).count == screen.count, "\(screen.map(\.id))", sourceLocation: sourceLocation)
    let ids = screen.allItems.map(\.id)
    #expect(Set(ids).count == ids.count, "\(ids)", sourceLocation: sourceLocation)
    for section in screen {
        #expect(!section.id.isEmpty && !section.title.isEmpty, sourceLocation: sourceLocation)
    }
    for item in screen.allItems {
        #expect(!item.id.isEmpty && item.id.utf8.count <= 255, sourceLocation: sourceLocation)
        #expect(isShowable(item.id) && isShowable(item.title), "\(item)", sourceLocation: sourceLocation)
        #expect(["info", "performance"].contains(item.kind), "\(item)", sourceLocation: sourceLocation)
        for (key, value) in item.attributes {
            #expect(["description", "unit", "error"].contains(key), "\(item)", sourceLocation: sourceLocation)
            guard case .string(let text) = value else {
                Issue.record("\(item.id): \(key) is no text", sourceLocation: sourceLocation)
                continue
            }
            #expect(!text.isEmpty && isShowable(text), "\(item)", sourceLocation: sourceLocation)
        }
        switch item.value {
        case .boolean, .int64: break
        case .double(let number): #expect(number.isFinite, "\(item)", sourceLocation: sourceLocation)
        case .string(let text):
            #expect(isShowable(text) && text.utf8.count <= 8 << 10 + 3, "\(item.id)", sourceLocation: sourceLocation)
        default: Issue.record("\(item) has a value of type \(item.value.type)", sourceLocation: sourceLocation)
        }
        if item.attributes["error"] != nil {
            #expect(item.value == .string(""), "\(item)", sourceLocation: sourceLocation)
        }
    }
}

private func isShowable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.generalCategory != .control
            && !(0x2028...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
    }
}
