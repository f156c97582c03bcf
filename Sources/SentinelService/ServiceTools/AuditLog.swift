// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// Who has called what that changes something. The newest calls are kept; they are stored soon after they came, in one
/// go, so that nobody waits for it.
///
/// Confined to the loop's thread.
final class AuditLog: @unchecked Sendable {
    /// So many entries are kept.
    static let capacity = 500
    /// So long after the first of them entries are stored.
    private static let delay = Duration.seconds(1)

    /// The members that change something, but for those that report what happens: instances, events, and new values of
    /// tools.
    private static let members: [InterfaceName: Set<MemberName>] = [
        Sentinel1.name: ["Forget", "AddTrigger", "RemoveTrigger"],
        Tools1.name: ["Declare", "Remove", "Set", "Invoke"],
        Preferences1.name: [
            "Set", "SetMany", "SetFor", "Reset", "Declare", "Remove", "Undo", "SaveProfile", "ApplyProfile",
            "DeleteProfile", "Import",
        ],
        Events1.name: ["Delete", "Forget", "Pause", "Resume", "ApplyRules", "Import"],
        "org.freedesktop.DBus.Properties": ["Set"],
    ]

    /// The entries, the newest first.
    var entries: [AuditEntry] { recent.reversed() }

    private let store: Store
    private let loop: EventLoop
    private let clock: WallClock
    private let log: Log
    private let callers: CallerNames
    /// The oldest first.
    private var recent: [AuditEntry] = []
    private var unstored: [AuditEntry] = []
    private var timer: LoopTimer?

    init(store: Store, loop: EventLoop, callers: CallerNames, log: Log, clock: WallClock = .system) {
        self.store = store
        self.loop = loop
        self.callers = callers
        self.log = log
        self.clock = clock
    }

    /// Takes in what is stored, in place of what was known.
    ///
    /// - Throws: why the store cannot be read.
    func load() throws(SentinelError) {
        recent = try store.auditEntries(limit: Self.capacity).reversed() + unstored
    }

    /// Takes in what another database holds that has come into use; what is known is stored there.
    func takeInDatabase() {
        save()
        let before = recent
        store.auditEntries(
            limit: Self.capacity,
            completion: loop.completion { [weak self, log] result in
                switch result {
                case .success(let stored): self?.merge(stored.reversed(), before)
                case .failure(let error): log.warning("cannot read the audit log of the database", because: error)
                }
            })
    }

    private func merge(_ stored: [AuditEntry], _ before: [AuditEntry]) {
        let (present, earlier) = (Set(stored), Set(before))
        // What was noted since is stored as ever.
        let lost = before.filter { !present.contains($0) }
        let since = recent.filter { !present.contains($0) && !earlier.contains($0) }
        recent = (stored + lost).sorted { $0.time < $1.time } + since
        unstored = lost + unstored
        save()
    }

    /// Takes note of a call, if it is one that changes something.
    func note(_ call: MethodCall, interface: InterfaceName) {
        guard let member = call.message.member, Self.members[interface]?.contains(member) == true,
            let path = call.message.path
        else { return }
        let entry = AuditEntry(
            time: clock.now(), caller: callers.name(of: call), object: ShownText.make(path.text, limit: 1024),
            member: "\(interface).\(member)")
        recent.append(entry)
        if recent.count > Self.capacity * 2 {
            recent.removeFirst(recent.count - Self.capacity)
        }
        unstored.append(entry)
        if unstored.count >= Self.capacity {
            save()
        } else if timer == nil {
            timer = loop.schedule(after: Self.delay) { [weak self] in self?.save() }
        }
    }

    /// Stores what is not yet stored.
    func save() {
        timer?.cancel()
        timer = nil
        guard !unstored.isEmpty else { return }
        store.note(unstored, keeping: Self.capacity) { [log] result in
            if case .failure(let error) = result {
                log.warning("cannot store the audit log", because: error)
            }
        }
        unstored = []
    }
}

/// The service's tool `audit`: who has called what that changes something.
///
/// Confined to the loop's thread.
final class AuditTool: ServiceTool {
    let entry = ToolEntry(
        id: "audit", name: "Audit log", kind: "text",
        attributes: ["description": .string("Who has called what that changes something, the newest first.")])

    private let audit: AuditLog

    init(_ audit: AuditLog) {
        self.audit = audit
    }

    func content(completion: @escaping @Sendable (Result<[Section], SentinelError>) -> Void) {
        let items = audit.entries.prefix(AuditLog.capacity).enumerated().map { index, entry in
            Item.fact(
                "call-\(index)", entry.member, entry.caller, description: "\(entry.time), \(entry.object)")
        }
        completion(.success([Section("calls", "Calls", items)]))
    }
}
