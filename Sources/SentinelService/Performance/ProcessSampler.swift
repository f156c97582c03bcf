// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts

/// Samples one process for all who ask, so that asking twice does not read twice.
///
/// Confined to the loop's thread.
final class ProcessSampler: @unchecked Sendable {
    typealias Completion = @Sendable (Fact<PerformanceSample>) -> Void

    /// How long ago the previous reading must be for the processor time to be taken since then.
    static let leastAge = Duration.milliseconds(100)
    /// How long ago it may be.
    private static let greatestAge = Duration.seconds(60)
    /// How long is measured where there is no such reading.
    private static let measuringTime = Duration.milliseconds(200)

    let processID: UInt32
    private let loop: EventLoop
    private let reader: FactsReader
    private var handle: ProcessHandle?
    private var previous: PerformanceReading?
    private var waiting: [Completion] = []

    init(processID: UInt32, loop: EventLoop, reader: FactsReader) {
        self.processID = processID
        self.loop = loop
        self.reader = reader
    }

    /// Measures the process; those who ask while a measurement is under way get its outcome.
    func sample(leastAge: Duration = ProcessSampler.leastAge, completion: @escaping Completion) {
        waiting.append(completion)
        guard waiting.count == 1 else { return }
        read { [self] reading in
            switch reading {
            case .success(let current):
                guard let previous,
                    (leastAge...Self.greatestAge).contains(current.monotonicTime - previous.monotonicTime)
                else { return measure(from: current) }
                finish(.success(PerformanceSample(previous: previous, current: current)), current)
            case .failure(let error):
                finish(.failure(error))
            }
        }
    }

    private func measure(from start: PerformanceReading) {
        loop.schedule(after: Self.measuringTime) { [self] in
            read { [self] reading in
                finish(
                    reading.map { PerformanceSample(previous: start, current: $0) }, reading.value)
            }
        }
    }

    private func finish(_ sample: Fact<PerformanceSample>, _ reading: PerformanceReading? = nil) {
        previous = reading ?? previous
        let completions = waiting
        waiting = []
        for completion in completions {
            completion(sample)
        }
    }

    private func read(_ completion: @escaping @Sendable (Fact<PerformanceReading>) -> Void) {
        if let handle {
            return reader.reading(of: handle, completion: completion)
        }
        reader.handle(of: processID) { [self] result in
            switch result {
            case .success(let opened):
                handle = opened
                reader.reading(of: opened, completion: completion)
            case .failure(let error):
                completion(.failure(error))
            }
        }
    }
}
