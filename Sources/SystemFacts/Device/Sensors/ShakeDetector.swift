// SPDX-License-Identifier: MIT

/// Tells shakes from all else that an accelerometer measures.
///
/// A shake is a strong motion that is reversed again and again within a short time. What has one or two strong moments,
/// such as a bump or a fall, is none, nor is what is weak, such as walking, nor what turns the device slowly, which
/// changes the direction of gravity alone.
public struct ShakeDetector: Sendable {
    /// What counts as a shake.
    public struct Parameters: Sendable {
        /// The weakest motion beyond gravity that counts, in m/s².
        ///
        /// It is more than free fall (9.8 m/s²), which is the strongest motion down that needs no hand: of what runs,
        /// jumps, falls and bounces only the impacts are strong, and all of these go up.
        public var strongMetersPerSquareSecond = 12.0

        /// A motion in m/s² after which it is worth while to measure more often: stronger than walking, and weaker than
        /// what counts, since few measurements may meet no peak.
        public var stirringMetersPerSquareSecond = 6.0

        /// How often the direction is reversed at least: a bump goes there and back.
        public var reversals = 3

        /// The time within which that must happen; people shake 2 to 7 times a second.
        public var window = Duration.seconds(1)

        /// The shortest time from one reversal to the next: what swings faster is no hand but a table or a case that has
        /// been hit.
        public var shortestSwing = Duration.milliseconds(60)

        /// How long nothing strong must happen after a shake before there can be another: one that goes on is one.
        public var quietTime = Duration.seconds(1)

        /// How fast what is measured all the time is taken for gravity (time constant): longer than a swing, shorter
        /// than a turn of the device.
        public var gravityTime = Duration.milliseconds(500)

        /// The parameters for devices that are held in a hand.
        public init() {}
    }

    /// A strong motion in one direction.
    private struct Swing {
        /// The direction, of length 1.
        let direction: Acceleration
        let start: Duration
    }

    /// Whether the last sample had some motion, so that measuring more often is worth while.
    public private(set) var isStirred = false

    private let parameters: Parameters
    /// When the last sample was taken, and what is gravity by then.
    private var last: (time: Duration, gravity: Acceleration)?
    private var swing: Swing?
    private var reversals: [Duration] = []
    private var lastStrong: Duration?
    /// Whether a shake that has been told may still go on.
    private var isSpent = false

    /// A detector that has measured nothing yet; it takes the first sample for gravity.
    public init(_ parameters: Parameters = Parameters()) {
        self.parameters = parameters
    }

    /// Takes a sample, and says whether there has been a shake by now.
    ///
    /// Samples may come at irregular times. One that cannot be, or is not later than the one before, is passed over;
    /// after a gap of more than ``Parameters/window`` all begins anew.
    ///
    /// - Parameters:
    ///   - sample: what was measured, gravity included.
    ///   - time: when, since any moment in the past.
    public mutating func take(_ sample: Acceleration, at time: Duration) -> Bool {
        isStirred = false
        guard sample.isPlausible else { return false }
        guard let last, time - last.time <= parameters.window else {
            last = (time, sample)
            swing = nil
            return false
        }
        guard time > last.time else { return false }
        let motion = sample - last.gravity
        let strength = motion.magnitude
        // One impact is so strong that it would count for gravity for a while; more than strong does not count.
        let share = min(1, parameters.strongMetersPerSquareSecond / max(strength, .leastNonzeroMagnitude))
        let step = time - last.time
        let gravity = last.gravity + motion * (share * (step / (step + parameters.gravityTime)))
        self.last = (time, gravity)
        isStirred = strength >= parameters.stirringMetersPerSquareSecond
        guard strength >= parameters.strongMetersPerSquareSecond else { return false }
        return takeStrong(motion * (1 / strength), at: time)
    }

    private mutating func takeStrong(_ direction: Acceleration, at time: Duration) -> Bool {
        let pause = lastStrong.map { time - $0 }
        lastStrong = time
        if isSpent {
            guard let pause, pause >= parameters.quietTime else { return false }
            isSpent = false
        }
        guard let swing, let pause, pause <= parameters.window else {
            begin(direction, at: time)
            reversals = []
            return false
        }
        // A hand does not go back on the same line: from 120° on it is a reversal.
        guard swing.direction.dot(direction) <= -0.5, time - swing.start >= parameters.shortestSwing else {
            return false
        }
        begin(direction, at: time)
        reversals.append(time)
        reversals.removeAll { time - $0 > parameters.window }
        guard reversals.count >= parameters.reversals else { return false }
        isSpent = true
        self.swing = nil
        return true
    }

    private mutating func begin(_ direction: Acceleration, at time: Duration) {
        swing = Swing(direction: direction, start: time)
    }
}
