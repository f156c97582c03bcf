// SPDX-License-Identifier: MIT

import DBus

/// What shows the debug menu of one application.
///
/// Confined to the loop's thread.
protocol Presenter: AnyObject, Sendable {
    /// The connection that shows it.
    var owner: BusName { get }
    /// The name to watch: what is shown ends when another than ``owner`` has it, or nobody.
    var watchedName: BusName { get }
    /// Whether it has been told to dismiss, or has closed by itself.
    var hasEnded: Bool { get }

    /// Tells it to dismiss, without waiting for it.
    ///
    /// - Parameter caller: who has asked for that; nil for the service itself.
    func dismiss(_ options: PresentationOptions, askedBy caller: BusName?)
}
