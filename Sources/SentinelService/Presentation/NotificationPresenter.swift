// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// A notification that shows an application: what is pressed in it is done, and it then shows what has become of it.
///
/// Confined to the loop's thread.
final class NotificationPresenter: Presenter, @unchecked Sendable {
    private static let dismissKey = "dismiss"

    /// What the server shows.
    private struct Shown {
        /// How often something was sent before: what is pressed is of what was shown then.
        var generation = 0
        var entries: [PresentationMenu.Entry] = []
        var contents: NotificationContents?
    }

    let application: KnownApplication
    private(set) var hasEnded = false
    /// Told when it has been closed, or is to be.
    var ended: ((NotificationPresenter) -> Void)?

    private let server: NotificationServer
    private let menus: PresentationMenus
    private var subscriptions: [Subscription] = []
    /// The notification's number; 0 before it is shown.
    private var number: UInt32 = 0
    private var shown = Shown()
    private var lastGeneration = 0
    /// How many times something is being sent at the moment.
    private var sending = 0
    private var hasNews = false
    /// The keys of what is being done.
    private var pressed: Set<String> = []
    /// What has come of the last press.
    private var note: String?
    /// What providers have told of their toggles.
    private var known: [PresentationMenu.Entry.Target: Bool] = [:]

    init(_ application: KnownApplication, at server: NotificationServer, menus: PresentationMenus) {
        self.application = application
        self.server = server
        self.menus = menus
    }

    var owner: BusName { server.name }
    var watchedName: BusName { NotificationServer.wellKnownName }

    /// Shows it, or shows it again; `completion` gets whether the server has done it.
    func show(completion: @escaping @Sendable (Bool) -> Void) {
        if subscriptions.isEmpty {
            subscriptions = server.subscribe { [weak self] number, event in self?.take(event, of: number) }
        }
        let menu = menus.menu(of: application, known: known)
        send(menu, contents(of: menu), completion)
    }

    /// Shows what has become of the application and its tools: what a provider has told of its toggles is out of date.
    func refreshTools() {
        known = [:]
        refresh()
    }

    /// Shows what has become of the application, where that can be seen.
    func refresh() {
        guard !hasEnded, number != 0 else { return }
        guard sending == 0 else {
            hasNews = true
            return
        }
        hasNews = false
        let menu = menus.menu(of: application, known: known)
        let contents = contents(of: menu)
        guard contents != shown.contents || menu.entries != shown.entries else { return }
        send(menu, contents) { _ in }
    }

    func dismiss(_ options: PresentationOptions, askedBy caller: BusName?) {
        guard !hasEnded else { return }
        end()
        if number != 0 {
            server.close(number)
        }
    }

    private func contents(of menu: PresentationMenu) -> NotificationContents {
        NotificationContents(
            name: application.name, icon: application.icon, menu, note: note, for: server.capabilities)
    }

    private func send(
        _ menu: PresentationMenu, _ contents: NotificationContents, _ completion: @escaping @Sendable (Bool) -> Void
    ) {
        lastGeneration += 1
        let next = Shown(generation: lastGeneration, entries: menu.entries, contents: contents)
        var actions = contents.labels.enumerated().map { index, label in (Self.key(index, next.generation), label) }
        if server.capabilities.hasActions {
            actions.append((Self.dismissKey, "Dismiss"))
        }
        sending += 1
        server.notify(contents, actions: actions, replacing: number) { [self] number in
            sending -= 1
            if let number {
                self.number = number
                if next.generation > shown.generation {
                    shown = next
                }
            }
            if hasEnded, let number {
                // It has come after all.
                server.close(number)
            }
            completion(number != nil)
            if hasNews {
                refresh()
            }
        }
    }

    /// The key of an entry, which stands for nothing once something else is shown.
    private static func key(_ index: Int, _ generation: Int) -> String { "\(index).\(generation)" }

    // MARK: What the server tells

    private func take(_ event: NotificationServer.Event, of number: UInt32) {
        guard !hasEnded, number != 0, number == self.number else { return }
        switch event {
        case .closed:
            end()
            ended?(self)
        case .invoked(let key) where key.utf8.elementsEqual(Self.dismissKey.utf8):
            ended?(self)
        case .invoked(let key):
            press(key)
        }
    }

    private func press(_ key: String) {
        let entry = shown.entries.enumerated().first { index, _ in
            Self.key(index, shown.generation).utf8.elementsEqual(key.utf8)
        }
        guard let entry = entry?.element, pressed.insert(key).inserted else { return }
        menus.perform(entry, of: application) { [self] result in
            pressed.remove(key)
            switch result {
            case .success(let value):
                note = NotificationContents.note(entry, nil)
                if entry.isLive {
                    known[entry.target] = value
                }
            case .failure(let error):
                note = NotificationContents.note(entry, error)
            }
            refresh()
        }
    }

    private func end() {
        hasEnded = true
        for subscription in subscriptions {
            subscription.cancel()
        }
        subscriptions = []
    }
}
