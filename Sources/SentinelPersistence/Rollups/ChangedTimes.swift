// SPDX-License-Identifier: MIT

/// When events begin and last that were changed.
package enum ChangedTimes: Equatable, Sendable {
    case none
    /// Within this range, in microseconds since the epoch.
    case some(Range<Int64>)
    /// At any time.
    case all

    /// Takes in others.
    package mutating func formUnion(_ other: ChangedTimes) {
        switch (self, other) {
        case (_, .none), (.all, _): break
        case (.none, _), (_, .all): self = other
        case (.some(let range), .some(let other)):
            self = .some(min(range.lowerBound, other.lowerBound)..<max(range.upperBound, other.upperBound))
        }
    }

    /// Whether any of them is in a window.
    package func touch(_ window: Range<Int64>) -> Bool {
        switch self {
        case .none: false
        case .some(let range): range.lowerBound < window.upperBound && window.lowerBound < range.upperBound
        case .all: true
        }
    }
}
