// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// Samples the newest instance of an application while somebody watches it, and remembers what was sampled.
///
/// All watches share one reading at a time: they fall due on a grid that is the same for all, so that twenty watches of
/// one second cost what one does. Confined to the loop's thread.
final class ApplicationMonitor: @unchecked Sendable {
    /// A client that wants samples.
    struct Watch {
        let number: UInt32
        let client: BusName
        let interval: Duration
        fileprivate var due: ContinuousClock.Instant
    }

    /// So many samples are remembered: an hour of one a second.
    static let historyLimit = 3600

    /// How old the previous reading may be for a watch. Timers are never exact to the millisecond: half of the shortest
    /// interval is enough to measure, and the longest interval still counts as one.
    private static let watchedAges = Duration.milliseconds(50)...Duration.seconds(61)

    private let application: KnownApplication
    private let loop: EventLoop
    private let reader: FactsReader
    private let sampled: (Watch, PerformanceSample) -> Void
    private let origin = ContinuousClock.now
    private var sampler: ProcessSampler?
    private var watches: [Watch] = []
    /// Numbers of the watches that the measurement under way is for; nil if none is.
    private var measuredFor: Set<UInt32>?
    private var history: [PerformancePoint] = []
    private var timer: LoopTimer?

    /// Makes a monitor; `sampled` is called for each watch that a sample is for.
    init(
        _ application: KnownApplication, loop: EventLoop, reader: FactsReader,
        sampled: @escaping (Watch, PerformanceSample) -> Void
    ) {
        self.application = application
        self.loop = loop
        self.reader = reader
        self.sampled = sampled
    }

    /// Measures the newest instance once.
    func sample(completion: @escaping ProcessSampler.Completion) {
        guard let sampler = currentSampler() else {
            return completion(.failure(FactError(.absent, "no instance of \(application.id) runs")))
        }
        sampler.sample(completion: completion)
    }

    /// Adds a watch.
    func add(number: UInt32, client: BusName, interval: Duration) {
        watches.append(Watch(number: number, client: client, interval: interval, due: nextDue(interval)))
        schedule()
    }

    /// Removes a watch of a client.
    ///
    /// - Returns: false if it has none of that number.
    func remove(number: UInt32, of client: BusName) -> Bool {
        let count = watches.count
        watches.removeAll { $0.number == number && $0.client == client }
        schedule()
        return watches.count < count
    }

    /// Removes all watches of a client.
    func removeAll(of client: BusName) {
        watches.removeAll { $0.client == client }
        schedule()
    }

    /// The clients that watch.
    var clients: Set<BusName> { Set(watches.map(\.client)) }

    /// The newest samples of what was watched, the newest first.
    func points(limit: Int) -> [PerformancePoint] {
        history.suffix(min(limit, Self.historyLimit)).reversed()
    }

    private func currentSampler() -> ProcessSampler? {
        let processID = application.processID
        guard processID != 0 else {
            sampler = nil
            return nil
        }
        if sampler?.processID != processID {
            sampler = ProcessSampler(processID: processID, loop: loop, reader: reader)
        }
        return sampler
    }

    /// The next point of the grid of an interval.
    private func nextDue(_ interval: Duration) -> ContinuousClock.Instant {
        let passed = ContinuousClock.now - origin
        let periods = (passed / interval).rounded(.down) + 1
        return origin + .seconds(periods * (interval / .seconds(1)))
    }

    private func schedule() {
        timer?.cancel()
        timer = watches.map(\.due).min().map { due in
            loop.schedule(after: due - .now) { [weak self] in self?.tick() }
        }
    }

    private func tick() {
        let now = ContinuousClock.now
        var due: Set<UInt32> = []
        for index in watches.indices where watches[index].due <= now {
            due.insert(watches[index].number)
            watches[index].due = nextDue(watches[index].interval)
        }
        schedule()
        guard !due.isEmpty else { return }
        // A measurement that takes longer than an interval serves those that have fallen due meanwhile, once.
        guard measuredFor == nil else {
            measuredFor?.formUnion(due)
            return
        }
        guard let sampler = currentSampler() else { return }
        measuredFor = due
        sampler.sample(ages: Self.watchedAges) { [weak self] result in self?.finish(result) }
    }

    private func finish(_ result: Fact<PerformanceSample>) {
        let numbers = measuredFor ?? []
        measuredFor = nil
        // While no instance runs nothing is sent.
        guard case .success(let sample) = result else { return }
        remember(sample)
        for watch in watches where numbers.contains(watch.number) {
            sampled(watch, sample)
        }
    }

    private func remember(_ sample: PerformanceSample) {
        // A point has no place for a figure that cannot be had: it would read as a processor at rest.
        guard let cpuPercent = sample.cpuPercent else { return }
        if history.count >= 2 * Self.historyLimit {
            history.removeFirst(history.count - Self.historyLimit)
        }
        history.append(
            PerformancePoint(
                time: sample.time.microseconds, cpuPercent: cpuPercent,
                memoryBytes: sample.memoryBytes ?? 0, threads: sample.threads ?? 0))
    }
}
