// SPDX-License-Identifier: MIT

import SentinelModels

/// Two types of event that belong together: the first is open until the second comes.
enum EventPair: CaseIterable {
    case run
    case foreground
    case scene
    case session
    case system

    /// The type of the event that is open until its partner comes.
    var opening: Name {
        switch self {
        case .run: .appLaunch
        case .foreground: .appForeground
        case .scene: .sceneForeground
        case .session: .sessionUnlock
        case .system: .systemWake
        }
    }

    /// The type of the event that ends it.
    var closing: Name {
        switch self {
        case .run: .appExit
        case .foreground: .appBackground
        case .scene: .sceneBackground
        case .session: .sessionLock
        case .system: .systemSleep
        }
    }

    /// The pairs that applications report.
    static let reported: [EventPair] = [.foreground, .scene]
}
