// SPDX-License-Identifier: MIT

/// What the battery does, as `org.sentinel.Device1.BatteryState` has it.
public enum BatteryState: String, CaseIterable, Sendable {
    case charging
    case discharging
    case full
    /// The machine has no battery.
    case absent
    /// There is a battery, or nobody can tell whether there is one.
    case unknown
}
