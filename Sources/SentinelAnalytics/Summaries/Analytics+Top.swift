// SPDX-License-Identifier: MIT

public import SentinelModels
public import SentinelPersistence

/// A type or a source with what a window holds of it.
public struct RankedName: Equatable, Sendable {
    /// The type or source.
    public var name: Name
    /// What the window holds of it.
    public var amount: Amount
}

extension Analytics {
    /// Ranks types or sources: by falling duration, then falling count, then the bytes of their names.
    ///
    /// - Parameter limit: how many there are at most.
    public func top(
        _ dimension: EventDimension, of window: Range<Int64>, limit: Int, cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<[RankedName]>
    ) {
        read(window, cancellation) { reading in
            try reading.top(dimension, of: window, limit: limit)
        } completion: {
            completion($0)
        }
    }
}

extension SummaryReading {
    /// The first so many types or sources of a window.
    func top(_ dimension: EventDimension, of window: Range<Int64>, limit: Int) throws -> [RankedName] {
        let (start, end) = (window.lowerBound, window.upperBound)
        let tallies =
            switch dimension {
            case .type: try rollups.tallies(byTypeFrom: start, to: end)
            case .source: try rollups.tallies(bySourceFrom: start, to: end)
            }
        return try tallies.map { RankedName(name: try name($0.key, of: dimension), amount: Amount($0.value)) }
            .sorted { left, right in
                if left.amount.duration != right.amount.duration {
                    return left.amount.duration > right.amount.duration
                }
                return left.amount.count != right.amount.count
                    ? left.amount.count > right.amount.count : left.name < right.name
            }
            .prefix(limit).map(\.self)
    }
}
