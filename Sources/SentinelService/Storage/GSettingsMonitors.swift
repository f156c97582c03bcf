// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// One ``GSettingsMonitor`` for each schema that is looked after.
///
/// One that ends is started again a few times, later each time; then it is said that changes are not noticed.
/// Confined to the loop's thread.
final class GSettingsMonitors: @unchecked Sendable {
    /// So many schemas are watched for changes: each takes a process of a few threads.
    static let most = 8
    /// How a monitor that ends is started again.
    struct Restarts: Sendable {
        /// How long after each end in a row.
        var delays: [Duration] = [.seconds(1), .seconds(10), .seconds(60)]
        /// The end of one that has run for so long is the first in a row.
        var steady = Duration.seconds(600)
    }

    /// A monitor does not say when it begins to notice: what has changed until then is looked at so long after it was
    /// started, and once more for those that take their time.
    private static let settling: [Duration] = [.seconds(1), .seconds(10)]
    /// Changes that come within so long of each other are looked at together.
    private static let gathering = Duration.milliseconds(100)

    /// Told the keys of a schema whose values may have changed; nil for all.
    var changed: ((String, Set<String>?) -> Void)?
    /// Told when ``problems`` have changed.
    var problemsChanged: (() -> Void)?
    /// Why changes of schemas are not noticed.
    private(set) var problems: [String: String] = [:]

    private struct State {
        var monitor: GSettingsMonitor?
        /// When it was started.
        var start = ContinuousClock.now
        /// How often it has ended in a row.
        var endCount = 0
        var keys: Set<String> = []
        /// What is to be done next: starting again, or telling.
        var timer: LoopTimer?
        /// The looks at what the monitor may not have noticed.
        var looks: [LoopTimer] = []

        /// Does nothing later any more.
        func cancel() {
            timer?.cancel()
            for look in looks {
                look.cancel()
            }
        }
    }

    private let loop: EventLoop
    private let pool: ReadingPool
    private let restarts: Restarts
    private let program: @Sendable () throws(SentinelError) -> HelperProgram
    private var states: [String: State] = [:]

    /// - Parameters:
    ///   - pool: where what may block is done.
    ///   - program: finds `gsettings`.
    init(
        on loop: EventLoop, pool: ReadingPool, restarts: Restarts = Restarts(),
        program: @escaping @Sendable () throws(SentinelError) -> HelperProgram = GSettingsKey.program
    ) {
        self.loop = loop
        self.pool = pool
        self.restarts = restarts
        self.program = program
    }

    /// Watches a schema, once.
    func watch(_ schema: String) {
        guard states[schema] == nil else { return }
        guard states.count < Self.most else {
            return setProblem(schema, "at most \(Self.most) schemas are watched for changes")
        }
        states[schema] = State()
        start(schema)
    }

    /// Ends the watch of all schemas but these.
    func keep(_ schemas: Set<String>) {
        for schema in Set(states.keys).union(problems.keys) where !schemas.contains(schema) {
            let state = states.removeValue(forKey: schema)
            state?.cancel()
            state?.monitor?.end()
            setProblem(schema, nil)
        }
    }

    private func start(_ schema: String) {
        pool.read { [program] in
            Result { () throws(SentinelError) in try program() }
        } _: { [weak self] program in
            self?.start(schema, program)
        }
    }

    private func start(_ schema: String, _ program: Result<HelperProgram, SentinelError>) {
        guard let state = states[schema], state.monitor == nil else { return }
        do throws(SentinelError) {
            states[schema]?.monitor = try GSettingsMonitor(try program.get(), schema: schema, on: loop) {
                [weak self] keys in
                self?.take(keys, of: schema)
            } ended: { [weak self] in
                self?.monitorEnded(schema, "gsettings monitor has ended")
            }
            states[schema]?.start = .now
            setProblem(schema, nil)
            states[schema]?.looks = Self.settling.map { delay in
                loop.schedule(after: delay) { [weak self] in self?.changed?(schema, nil) }
            }
        } catch {
            monitorEnded(schema, error.message)
        }
    }

    private func monitorEnded(_ schema: String, _ reason: String) {
        guard let state = states[schema] else { return }
        let isSteady = state.monitor != nil && ContinuousClock.now - state.start >= restarts.steady
        let endCount = isSteady ? 0 : state.endCount
        states[schema]?.monitor = nil
        states[schema]?.endCount = endCount + 1
        setProblem(schema, reason)
        state.cancel()
        guard endCount < restarts.delays.count else {
            // What it has noticed last is not told any more.
            changed?(schema, nil)
            return
        }
        setTimer(schema, after: restarts.delays[endCount]) { [weak self] in self?.start(schema) }
    }

    private func take(_ keys: Set<String>, of schema: String) {
        guard let state = states[schema] else { return }
        states[schema]?.keys.formUnion(keys)
        // One that is set tells of these too.
        guard state.timer == nil else { return }
        setTimer(schema, after: Self.gathering) { [weak self] in
            guard let self, let keys = states[schema]?.keys else { return }
            states[schema]?.keys = []
            changed?(schema, keys)
        }
    }

    private func setTimer(_ schema: String, after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        states[schema]?.timer?.cancel()
        states[schema]?.timer = loop.schedule(after: delay) { [weak self] in
            self?.states[schema]?.timer = nil
            action()
        }
    }

    private func setProblem(_ schema: String, _ problem: String?) {
        guard problems[schema] != problem else { return }
        problems[schema] = problem
        problemsChanged?()
    }
}
