// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

extension Salvage {
    /// Copies the tools of the applications that have been copied, and their values, in one transaction.
    ///
    /// - Throws: what writing them throws; what cannot be read is left out.
    func copyTools(to target: Connection) throws {
        var places = SalvagedPlaces("tools", key: "id")
        var outranked: [ApplicationID: Set<Name>] = [:]
        try target.transaction {
            try copy(ToolTable.selection, by: ["application", "id"], ToolTable.tool) { tool in
                let owner = try target.first(
                    "SELECT 1 FROM applications WHERE id = ?", tool.application.text, as: Int64.self)
                // What the application declares itself stands above what a manifest says.
                let own = try target.first(
                    "SELECT 1 FROM tools WHERE application = ? AND id = ? AND origin = 'application'",
                    tool.application.text, tool.tool.id.text, as: Int64.self)
                if owner != nil, own == nil || tool.origin == .application {
                    let position = try places.place(
                        .text(tool.application.text), .text(tool.tool.id.text), at: tool.position, in: target)
                    try ToolTable.declare(tool.moved(to: position), in: target)
                } else {
                    outranked[tool.application, default: []].insert(tool.tool.id)
                }
            }
            try copy(ToolTable.valueSelection, by: ["application", "tool", "item"], ToolTable.value) { row in
                let owner = try target.first(
                    "SELECT 1 FROM tools WHERE application = ? AND id = ?", row.application.text, row.tool.text,
                    as: Int64.self)
                if owner != nil, outranked[row.application]?.contains(row.tool) != true {
                    try ToolTable.set([row.item: row.value], of: row.tool, of: row.application, in: target)
                }
            }
        }
    }
}
