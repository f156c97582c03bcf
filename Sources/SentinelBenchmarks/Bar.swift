// SPDX-License-Identifier: MIT

/// A limit that a figure must keep.
struct Bar {
    /// Whether a figure keeps a bar.
    enum Verdict: String {
        /// It does.
        case met
        /// It does not.
        case missed
    }

    /// The side of the limit that is allowed.
    private enum Side: String {
        case atMost = "≤"
        case atLeast = "≥"
    }

    private let side: Side
    private let limit: Double

    /// The bar as the tables show it, such as "≤ 1.25".
    let text: String

    /// A bar that figures must not exceed; `unit` is for the text only.
    static func atMost(_ limit: Double, decimals: Int = 2, unit: String = "") -> Bar {
        Bar(side: .atMost, limit: limit, decimals: decimals, unit: unit)
    }

    /// A bar that figures must reach; `unit` is for the text only.
    static func atLeast(_ limit: Double, decimals: Int = 2, unit: String = "") -> Bar {
        Bar(side: .atLeast, limit: limit, decimals: decimals, unit: unit)
    }

    private init(side: Side, limit: Double, decimals: Int, unit: String) {
        self.side = side
        self.limit = limit
        text = side.rawValue + " " + Table.format(limit, decimals: decimals) + (unit.isEmpty ? "" : " " + unit)
    }

    /// Judges the unrounded figure. What is not a number misses every bar.
    func verdict(on figure: Double) -> Verdict {
        switch side {
        case .atMost: figure <= limit ? .met : .missed
        case .atLeast: figure >= limit ? .met : .missed
        }
    }
}
