// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// The database that a store uses at the moment.
struct Backing {
    enum Kind {
        /// What the store was opened for.
        case wanted
        /// Memory in its stead, since nothing can be kept.
        case memory(because: SentinelError)
        /// The wanted database, read-only.
        case readOnly(because: SentinelError)
    }

    let kind: Kind

    /// Nil where not even memory could be had.
    let connection: Connection?

    /// What is remembered of the events in it.
    let events = EventMemory()

    /// The files where the database is on disk and can be written.
    let files: StoreFiles?

    /// Whether the wanted database may become usable while the store is open.
    let canRecover: Bool

    /// Whether the process before ended early, so that the whole database is to be checked.
    let needsCheck: Bool

    /// The database that was set aside, whose events are to be copied into this one; nil for none.
    var salvage: String?

    private(set) var health: StoreHealth

    init(
        _ kind: Kind, _ connection: Connection?, files: StoreFiles? = nil, canRecover: Bool = false,
        needsCheck: Bool = false, salvage: String? = nil, details: [StoreHealth.Detail] = []
    ) {
        self.kind = kind
        self.salvage = salvage
        self.connection = connection
        self.files = files
        self.canRecover = canRecover
        self.needsCheck = needsCheck
        let own: [StoreHealth.Detail] =
            switch kind {
            case .wanted: []
            case .memory(let error): [.init("storage", "memory"), .init("storage_error", error.message)]
            case .readOnly(let error): [.init("storage", "read-only"), .init("storage_error", error.message)]
            }
        health = StoreHealth(state: own.isEmpty && details.isEmpty ? .ok : .degraded, details: own + details)
    }

    /// The same with one more thing to know.
    func adding(_ detail: StoreHealth.Detail) -> Backing {
        var backing = self
        backing.health.details.append(detail)
        return backing
    }

    var isWanted: Bool {
        if case .wanted = kind { true } else { false }
    }

    /// Why a call cannot be served; nil where it can.
    func refusal(of durability: Durability) -> SentinelError? {
        switch kind {
        case .wanted: nil
        case .memory(let error): durability == .session && connection != nil ? nil : error
        case .readOnly(let error): error
        }
    }
}
