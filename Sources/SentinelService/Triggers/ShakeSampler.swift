// SPDX-License-Identifier: MIT

import Dispatch
import SystemFacts

/// Measures with the machine's accelerometer, beside the loop: to read it may block.
///
/// A measurement at rest is rare; when the device moves, it is made often enough to see each swing of a hand. No timer
/// is set while nothing is measured. Confined to its own queue but for ``start(_:)`` and ``stop()``, which can be called
/// on every thread and wait for nothing.
final class ShakeSampler: @unchecked Sendable {
    /// What becomes known.
    enum Report: Sendable {
        /// The accelerometer tells what it measures, from now on.
        case measuring
        /// It cannot be read at the moment, and is read again later.
        case disturbed(FactError)
        /// There is none, or it has gone: nothing is measured any more.
        case ended(FactError)
        /// The device has been shaken.
        case shaken
    }

    /// How often is measured.
    private enum Pace {
        /// While nothing moves.
        case rest
        /// While something moves.
        case motion
        /// While the accelerometer cannot be read.
        case disturbance

        var interval: DispatchTimeInterval {
            switch self {
            case .rest: .milliseconds(83)
            case .motion: .milliseconds(20)
            case .disturbance: .seconds(1)
            }
        }

        /// How much later the system may wake up for it, together with others.
        var leeway: DispatchTimeInterval {
            switch self {
            case .rest: .milliseconds(10)
            case .motion: .milliseconds(2)
            case .disturbance: .milliseconds(100)
            }
        }
    }

    /// How long is measured often after the last motion.
    private static let motionTime = Duration.seconds(2)

    private let queue = DispatchQueue(label: "org.sentinel.shakes", qos: .utility)
    private let root: String
    private let tell: @Sendable (UInt64, Report) -> Void
    private let origin = ContinuousClock.now

    private var run: UInt64 = 0
    private var accelerometer: Accelerometer?
    private var timer: (any DispatchSourceTimer)?
    private var pace = Pace.rest
    private var detector = ShakeDetector()
    private var lastMotion: ContinuousClock.Instant?
    /// What was told last of whether it can be read: why not; nil as long as nothing was told.
    private var told: Fact<Void>?

    /// - Parameters:
    ///   - root: the directory that stands for `/`.
    ///   - tell: told on the sampler's queue what becomes known, with the number of the run that it is of.
    init(root: String, tell: @escaping @Sendable (UInt64, Report) -> Void) {
        self.root = root
        self.tell = tell
    }

    deinit {
        timer?.cancel()
    }

    /// Looks for an accelerometer and measures from then on, for a run with a number of its own.
    func start(_ run: UInt64) {
        queue.async { [self] in
            end()
            self.run = run
            begin()
        }
    }

    /// Measures no more, and lets go of the accelerometer.
    func stop() {
        queue.async { [self] in end() }
    }

    private func begin() {
        dispatchPrecondition(condition: .onQueue(queue))
        do throws(FactError) {
            accelerometer = try Accelerometer.find(root: root)
        } catch {
            return tell(run, .ended(error))
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.measure() }
        self.timer = timer
        setPace(.rest)
        timer.activate()
        measure()
    }

    private func end() {
        dispatchPrecondition(condition: .onQueue(queue))
        timer?.cancel()
        timer = nil
        accelerometer = nil
        detector = ShakeDetector()
        lastMotion = nil
        told = nil
    }

    private func measure() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let accelerometer else { return }
        do throws(FactError) {
            take(try accelerometer.sample())
        } catch {
            takeFailure(error)
        }
    }

    private func take(_ sample: Acceleration) {
        let now = ContinuousClock.now
        if told?.value == nil {
            told = .success(())
            tell(run, .measuring)
        }
        let isShaken = detector.take(sample, at: now - origin)
        if detector.isStirred {
            lastMotion = now
        }
        let isMoving = lastMotion.map { now - $0 < Self.motionTime } ?? false
        setPace(isMoving ? .motion : .rest)
        if isShaken {
            tell(run, .shaken)
        }
    }

    private func takeFailure(_ error: FactError) {
        guard error.code != .absent else {
            end()
            return tell(run, .ended(error))
        }
        if told?.error != error {
            told = .failure(error)
            tell(run, .disturbed(error))
        }
        setPace(.disturbance)
    }

    private func setPace(_ pace: Pace) {
        // A new timer has none yet.
        guard pace != self.pace || told == nil, let timer else { return }
        self.pace = pace
        timer.schedule(deadline: .now() + pace.interval, repeating: pace.interval, leeway: pace.leeway)
    }
}
