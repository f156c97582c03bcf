// SPDX-License-Identifier: MIT

public import SentinelModels
public import SentinelPersistence

extension Analytics {
    /// Quantiles of the durations of the events that start in a window, each whole, in seconds: interpolated linearly
    /// between neighbours, one for each of `quantiles`, and none where no event has a duration.
    ///
    /// The cost goes by the number of events in the window. It is read in several transactions: what is stored meanwhile
    /// may be among it or not.
    ///
    /// - Parameters:
    ///   - type: of the events; nil for all.
    ///   - quantiles: from 0 to 1.
    public func durations(
        of window: Range<Int64>, type: Name?, quantiles: [Double], cancellation: ReadCancellation? = nil,
        completion: @escaping Completion<[Double]>
    ) {
        let search = QuantileSearch(quantiles)
        walk(window, type, search, from: .init(from: window.lowerBound), cancellation, completion)
    }

    private func walk(
        _ window: Range<Int64>, _ type: Name?, _ search: QuantileSearch, from position: SummaryReading.WalkPosition,
        _ cancellation: ReadCancellation?, _ completion: @escaping Completion<[Double]>
    ) {
        store.summarize(cancellation: cancellation) { reading in
            var search = search
            var number: Int64?
            if let type {
                number = try reading.number(type, of: .type)
                // No event has it, or none any more.
                guard number != nil else { return (search, SummaryReading.WalkPosition?.none) }
            }
            let next = try reading.forEachDuration(from: position, to: window.upperBound, type: number) {
                search.insert($0)
            }
            return (search, next)
        } completion: { [self] (result: Result<(QuantileSearch, SummaryReading.WalkPosition?), SentinelError>) in
            switch result {
            case .success((let search, let next?)):
                walk(window, type, search, from: next, cancellation, completion)
            case .success((var search, nil)):
                guard let seconds = search.endPass() else {
                    return walk(window, type, search, from: .init(from: window.lowerBound), cancellation, completion)
                }
                completion(.success(seconds))
            case .failure(let error): completion(.failure(error))
            }
        }
    }
}
