// SPDX-License-Identifier: MIT

import Foundation

/// A table in plain text: the first column is left-aligned, figures are right-aligned.
struct Table {
    private var rows: [[String]]

    /// A table with these headings and no rows yet.
    init(headings: [String]) {
        rows = [headings]
    }

    /// Adds a row with a cell for each heading.
    mutating func append(_ cells: [String]) {
        precondition(cells.count == rows[0].count, "a cell for each heading")
        rows.append(cells)
    }

    /// The table in lines, with a rule below the headings.
    var rendered: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let line = zip(row, widths).enumerated()
                .map { column, cell in
                    let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                    return column == 0 ? cell.0 + padding : padding + cell.0
                }
                .joined(separator: "  ")
            return line.replacing(#/ +$/#, with: "")
        }
        lines.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
        return lines.joined(separator: "\n")
    }

    /// Returns a figure with a fixed number of decimals.
    static func format(_ figure: Double, decimals: Int) -> String {
        String(format: "%.\(decimals)f", figure)
    }
}
