// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts

/// Samples one process for all who ask, so that asking twice does not read twice.
///
/// Between two readings it holds no file: there can be as many samplers as applications. Confined to the loop's thread.
final class ProcessSampler: @unchecked Sendable {
    typealias Completion = @Sendable (Fact<PerformanceSample>) -> Void

    /// How long ago the previous reading must be for the processor time to be taken since then.
    static let usableAges = Duration.milliseconds(100)...Duration.seconds(60)
    /// How long is measured where there is no such reading.
    private static let measuringTime = Duration.milliseconds(200)

    let processID: UInt32
    private let loop: EventLoop
    private let reader: FactsReader
    private var previous: PerformanceReading?
    private var waiting: [Completion] = []

    init(processID: UInt32, loop: EventLoop, reader: FactsReader) {
        self.processID = processID
        self.loop = loop
        self.reader = reader
    }

    /// Measures the process; those who ask while a measurement is under way get its outcome.
    func sample(ages: ClosedRange<Duration> = usableAges, completion: @escaping Completion) {
        waiting.append(completion)
        guard waiting.count == 1 else { return }
        reader.reading(of: processID) { [self] result in
            switch result {
            case .success(let current):
                guard let previous, ages.contains(current.monotonicTime - previous.monotonicTime) else {
                    return measure(from: current)
                }
                let sample = PerformanceSample(previous: previous, current: current)
                // Without a use of the processor the reading before was that of another process of this number.
                guard sample.cpuPercent != nil else { return measure(from: current) }
                finish(.success(sample), current)
            case .failure(let error):
                finish(.failure(error), nil)
            }
        }
    }

    private func measure(from start: PerformanceReading) {
        loop.schedule(after: Self.measuringTime) { [self] in
            reader.reading(of: processID) { [self] result in
                finish(result.map { PerformanceSample(previous: start, current: $0) }, result.value)
            }
        }
    }

    private func finish(_ sample: Fact<PerformanceSample>, _ reading: PerformanceReading?) {
        previous = reading
        let completions = waiting
        waiting = []
        for completion in completions {
            completion(sample)
        }
    }
}
