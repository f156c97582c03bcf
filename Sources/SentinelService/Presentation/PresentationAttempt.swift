// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// One attempt at having an application shown: by the panel, else in a notification.
///
/// Confined to the loop's thread.
final class PresentationAttempt: @unchecked Sendable {
    /// Gets who shows it now, or why nobody does; called once.
    typealias Completion = @Sendable (Result<any Presenter, SentinelError>) -> Void

    private let application: KnownApplication
    private let options: PresentationOptions
    /// Who has shown it so far; nil if nobody has.
    private let present: (any Presenter)?
    private let connection: Connection
    private let menus: PresentationMenus
    private var completion: Completion?
    /// What is waited for at the moment.
    private var pending: PendingCall?
    private var notification: NotificationPresenter?
    /// Runs while a notification is waited for.
    private var showing: LoopTimer?

    init(
        _ application: KnownApplication, _ options: PresentationOptions, present: (any Presenter)?,
        on connection: Connection, menus: PresentationMenus, completion: @escaping Completion
    ) {
        self.application = application
        self.options = options
        self.present = present
        self.connection = connection
        self.menus = menus
        self.completion = completion
    }

    /// Begins; once.
    func start() {
        switch present {
        case let client as ClientPresenter: finish(.success(client))
        case let notification as NotificationPresenter: showAgain(notification)
        default: askPanel()
        }
    }

    /// Gives up.
    func cancel(because error: SentinelError) {
        finish(.failure(error))
        pending?.cancel()
        showing?.cancel()
        showing = nil
        if let notification, notification !== present {
            notification.dismiss(PresentationOptions(), askedBy: nil)
        }
    }

    private func showAgain(_ notification: NotificationPresenter) {
        show(notification) { [self] isShown in
            guard isShown else { return askPanel() }
            finish(.success(notification))
        }
    }

    private func askPanel() {
        guard completion != nil else { return }
        let panel = Panel(connection)
        pending = panel.show(application.id, options) { [self] owner in
            guard let owner else { return findServer() }
            let presenter = sameAsBefore(owner) ?? PanelPresenter(owner, showing: application.id, panel)
            if !finish(.success(presenter)) {
                presenter.dismiss(PresentationOptions(), askedBy: nil)
            }
        }
    }

    /// The panel as it has shown the application before; nil if it is another one now.
    private func sameAsBefore(_ owner: BusName) -> PanelPresenter? {
        guard let panel = present as? PanelPresenter, panel.owner == owner, !panel.hasEnded else { return nil }
        return panel
    }

    private func findServer() {
        guard completion != nil else { return }
        pending = NotificationServer.find(on: connection) { [self] server in
            guard let server else { return fail() }
            notify(at: server)
        }
    }

    private func notify(at server: NotificationServer) {
        guard completion != nil else { return }
        let notification = NotificationPresenter(application, at: server, menus: menus)
        self.notification = notification
        show(notification) { [self] isShown in
            guard isShown else {
                // If it comes later, it is taken away again.
                notification.dismiss(PresentationOptions(), askedBy: nil)
                return fail()
            }
            finish(.success(notification))
        }
    }

    /// Has a notification shown; `completion` gets whether it has been in time, and has not been closed since.
    private func show(_ notification: NotificationPresenter, completion: @escaping @Sendable (Bool) -> Void) {
        let timer = connection.loop.schedule(after: NotificationServer.deadline) { [self] in
            showing = nil
            completion(false)
        }
        showing = timer
        notification.show { [self] isShown in
            guard showing === timer else { return }
            showing = nil
            timer.cancel()
            completion(isShown && !notification.hasEnded)
        }
    }

    private func fail() {
        finish(
            .failure(
                SentinelError(
                    .unavailable,
                    "there is nothing to present \(application.id) with: neither \(Panel.name) nor "
                        + "\(NotificationServer.wellKnownName) has shown it; start or install one of them, or call "
                        + "Show with the option presenter")))
    }

    /// - Returns: whether somebody was told.
    @discardableResult
    private func finish(_ result: Result<any Presenter, SentinelError>) -> Bool {
        guard let completion else { return false }
        self.completion = nil
        completion(result)
        return true
    }
}
