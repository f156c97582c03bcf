// SPDX-License-Identifier: MIT

import SentinelModels

/// Takes in what another database holds that has come into use while the service runs: the wanted one, after memory had
/// to do, or the successor of a damaged one. What was declared or set meanwhile stays, and is stored there.
///
/// Confined to the loop's thread.
final class DatabaseChange: @unchecked Sendable {
    private let registry: ApplicationRegistry
    private let tools: ToolDirectory
    private let preferences: PreferenceService
    private let triggers: TriggerDirectory
    private let audit: AuditLog
    private let log: Log
    private let completed: () -> Void
    private var isUnderWay = false
    private var isOutdated = false

    /// `completed` is called whenever a database has been taken in.
    init(
        registry: ApplicationRegistry, tools: ToolDirectory, preferences: PreferenceService,
        triggers: TriggerDirectory, audit: AuditLog, log: Log, completed: @escaping () -> Void
    ) {
        self.registry = registry
        self.tools = tools
        self.preferences = preferences
        self.triggers = triggers
        self.audit = audit
        self.log = log
        self.completed = completed
    }

    /// Takes in the database that is in use now.
    func begin() {
        guard !isUnderWay else {
            isOutdated = true
            return
        }
        isUnderWay = true
        audit.takeInDatabase()
        triggers.takeInDatabase(of: registry.service) { [weak self] in self?.report($0, of: .sentinel) }
        registry.takeInDatabase { [weak self] ids in self?.takeInNext(ids[...]) }
    }

    /// Takes in one application after the other, so that others are served in between.
    private func takeInNext(_ ids: ArraySlice<ApplicationID>) {
        guard let id = ids.first else { return finish() }
        // What was handed in for it before may still bring it, or take it away.
        registry.inTurn(id) { [weak self] over in
            over()
            guard let self else { return }
            guard let application = registry.find(id) else { return takeInNext(ids.dropFirst()) }
            tools.takeInDatabase(of: application) { [weak self] in self?.report($0, of: id) }
            triggers.takeInDatabase(of: application) { [weak self] in self?.report($0, of: id) }
            preferences.takeInDatabase(of: application) { [weak self] result in
                self?.report(result, of: id)
                self?.takeInNext(ids.dropFirst())
            }
        }
    }

    private func report(_ result: Result<Void, SentinelError>, of id: ApplicationID) {
        if case .failure(let error) = result {
            log.warning(
                "what is kept of \(id) cannot be taken in from the database", because: error)
        }
    }

    private func finish() {
        isUnderWay = false
        guard !isOutdated else {
            isOutdated = false
            return begin()
        }
        registry.finishDatabase()
        completed()
    }
}
