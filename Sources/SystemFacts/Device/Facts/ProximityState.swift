// SPDX-License-Identifier: MIT

/// What the proximity sensor sees, as `org.sentinel.Device1.ProximityState` has it.
public enum ProximityState: String, CaseIterable, Sendable {
    case near
    case far
    /// There is no sensor, or nobody who could ask it.
    case unavailable
}
