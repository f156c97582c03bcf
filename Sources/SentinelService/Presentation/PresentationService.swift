// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// Which applications are presented, and by whom: at most once each, until it is dismissed or the presenter is gone.
///
/// What is asked for an application is done one after the other. Confined to the loop's thread.
final class PresentationService: @unchecked Sendable {
    /// Gets what has become of what was asked; called once.
    typealias Completion = @Sendable (Result<Void, SentinelError>) -> Void

    /// So many requests may wait for one application.
    static let waitingLimit = 64

    private struct Presentation {
        let presenter: any Presenter
        /// Follows the presenter's name.
        let watch: Subscription
    }

    private let connection: Connection
    private let registry: ApplicationRegistry
    private let menus: PresentationMenus
    private let log: Log
    private var presentations: [ApplicationID: Presentation] = [:]
    private var lines: [ApplicationID: WorkLine] = [:]
    /// How many requests each application has that are not answered.
    private var requestCounts: [ApplicationID: Int] = [:]
    private var attempts: [ApplicationID: PresentationAttempt] = [:]
    private var isEnding = false

    init(connection: Connection, registry: ApplicationRegistry, menus: PresentationMenus, log: Log) {
        self.connection = connection
        self.registry = registry
        self.menus = menus
        self.log = log
    }

    /// The ids of the applications that are presented, ordered by their bytes.
    var presentedApplications: [String] { presentations.keys.sorted().map(\.text) }

    // MARK: Requests

    /// Presents an application; the caller may be the presenter itself.
    ///
    /// - Parameter completion: `unavailable` with nothing to present with, `unknownApplication` for one that has been
    ///   forgotten meanwhile, `limitsExceeded`.
    func show(
        _ application: KnownApplication, _ options: PresentationOptions, caller: BusName?,
        completion: @escaping Completion
    ) {
        inTurn(application, completion) { [self] done in
            show(inTurn: application, options, caller, done)
        }
    }

    /// Ends the presentation of an application, if there is one.
    func dismiss(
        _ application: KnownApplication, _ options: PresentationOptions, caller: BusName?,
        completion: @escaping Completion
    ) {
        inTurn(application, completion) { [self] done in
            end(application.id, options, caller: caller)
            done(.success(()))
        }
    }

    /// Dismisses an application that is presented, and presents one that is not.
    ///
    /// - Parameter completion: as ``show(_:_:caller:completion:)``.
    func toggle(
        _ application: KnownApplication, _ options: PresentationOptions, caller: BusName?,
        completion: @escaping Completion
    ) {
        inTurn(application, completion) { [self] done in
            guard presentations[application.id] == nil else {
                end(application.id, options, caller: caller)
                return done(.success(()))
            }
            show(inTurn: application, options, caller, done)
        }
    }

    /// The same for a trigger that has fired: with nothing to present with, nothing is presented.
    func toggle(_ application: KnownApplication) {
        toggle(application, PresentationOptions(), caller: nil) { [log, id = application.id] result in
            if case .failure(let error) = result {
                log.debug("\(id) is not presented: \(error.message)")
            }
        }
    }

    private func inTurn(
        _ application: KnownApplication, _ completion: @escaping Completion,
        _ work: @escaping (_ done: @escaping Completion) -> Void
    ) {
        let id = application.id
        // One of them is being done and does not wait.
        guard requestCounts[id, default: 0] <= Self.waitingLimit else {
            return completion(
                .failure(
                    SentinelError(
                        .limitsExceeded,
                        "\(Self.waitingLimit) requests to present \(id) wait already; try again later")))
        }
        requestCounts[id, default: 0] += 1
        let line = lines[id] ?? WorkLine { [weak self] in self?.lines[id] = nil }
        lines[id] = line
        line.add { [self] over in
            let done: Completion = { [self] result in
                let left = (requestCounts[id] ?? 1) - 1
                requestCounts[id] = left > 0 ? left : nil
                completion(result)
                over()
            }
            if let refusal = refusal(of: application) {
                return done(.failure(refusal))
            }
            work(done)
        }
    }

    /// Why nothing is presented of an application any more; nil if it can be.
    private func refusal(of application: KnownApplication) -> SentinelError? {
        if isEnding { return Self.endingError }
        guard registry.find(application.id) === application else {
            return SentinelError(.unknownApplication, "\(application.id) has been forgotten")
        }
        return nil
    }

    private static let endingError = SentinelError(
        .unavailable, "the service is ending; try again when it has been started anew")
}

// MARK: - Presentations

extension PresentationService {
    private func show(
        inTurn application: KnownApplication, _ options: PresentationOptions, _ caller: BusName?,
        _ done: @escaping Completion
    ) {
        let id = application.id
        let present = presentations[id]?.presenter
        if options.isPresenter, let caller {
            if present?.owner != caller {
                begin(id, ClientPresenter(caller))
            }
            return done(.success(()))
        }
        nonisolated(unsafe) let application = application
        let attempt = PresentationAttempt(
            application, options, present: present, on: connection, menus: menus
        ) { [self] result in
            attempts[id] = nil
            done(settle(application, result))
        }
        attempts[id] = attempt
        attempt.start()
    }

    /// Takes in what has come of an attempt.
    private func settle(
        _ application: KnownApplication, _ result: Result<any Presenter, SentinelError>
    ) -> Result<Void, SentinelError> {
        switch result {
        case .success(let presenter):
            if let refusal = refusal(of: application) {
                presenter.dismiss(PresentationOptions(), askedBy: nil)
                return .failure(refusal)
            }
            begin(application.id, presenter)
            return .success(())
        case .failure(let error):
            // Who has shown it so far does not show what was asked for.
            end(application.id)
            return .failure(error)
        }
    }

    /// Makes a presentation that of a presenter, in the place of another one.
    private func begin(_ id: ApplicationID, _ presenter: any Presenter) {
        let before = presentations[id]
        guard before?.presenter !== presenter, !presenter.hasEnded else { return }
        if let notification = presenter as? NotificationPresenter {
            notification.ended = { [weak self] in self?.end(id, of: $0) }
        }
        let watch = connection.watchOwner(of: presenter.watchedName) { [weak self, weak presenter] owner in
            guard let presenter, owner != presenter.owner else { return }
            self?.end(id, of: presenter)
        }
        presentations[id] = Presentation(presenter: presenter, watch: watch)
        guard let before else {
            connection.objects.emit(Sentinel1.Presented(applicationID: id.text), from: ServiceObject.path)
            return announce()
        }
        before.watch.cancel()
        before.presenter.dismiss(PresentationOptions(), askedBy: presenter.owner)
    }

    /// Ends what a presenter shows, unless another one shows it now.
    private func end(_ id: ApplicationID, of presenter: any Presenter) {
        if presentations[id]?.presenter === presenter {
            end(id)
        }
    }

    private func end(
        _ id: ApplicationID, _ options: PresentationOptions = PresentationOptions(), caller: BusName? = nil
    ) {
        guard let presentation = presentations.removeValue(forKey: id) else { return }
        presentation.watch.cancel()
        presentation.presenter.dismiss(options, askedBy: caller)
        connection.objects.emit(Sentinel1.Dismissed(applicationID: id.text), from: ServiceObject.path)
        announce()
    }

    private func announce() {
        connection.objects.propertiesChanged([.presentedApplications], of: Sentinel1.self, at: ServiceObject.path)
    }
}

// MARK: - What happens elsewhere

extension PresentationService {
    /// Takes note of preferences that have changed, or have been declared or removed.
    func preferencesChanged(_ id: ApplicationID) {
        (presentations[id]?.presenter as? NotificationPresenter)?.refresh()
    }

    /// Takes note of tools that have changed, or of their items.
    func toolsChanged(_ id: ApplicationID) {
        (presentations[id]?.presenter as? NotificationPresenter)?.refreshTools()
    }

    /// Lets go of an application that has been forgotten.
    func forget(_ id: ApplicationID) {
        attempts[id]?.cancel(because: SentinelError(.unknownApplication, "\(id) has been forgotten"))
        end(id)
    }

    /// Ends all that is presented or is to be, before the service gives its name back.
    func stop() {
        isEnding = true
        for attempt in attempts.values {
            attempt.cancel(because: Self.endingError)
        }
        for id in presentations.keys.sorted() {
            end(id)
        }
    }
}
