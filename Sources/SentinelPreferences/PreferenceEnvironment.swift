// SPDX-License-Identifier: MIT

public import SentinelModels

/// What the preferences need from the process that they are in.
public struct PreferenceEnvironment: Sendable {
    /// Does something on the thread that the preferences are confined to, after what was handed in before.
    public var enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// The time.
    public var clock: WallClock
    /// How much there may be of everything.
    public var limits: PreferenceLimits

    /// An environment of these parts.
    public init(
        enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, clock: WallClock = .system,
        limits: PreferenceLimits = .standard
    ) {
        self.enqueue = enqueue
        self.clock = clock
        self.limits = limits
    }
}
