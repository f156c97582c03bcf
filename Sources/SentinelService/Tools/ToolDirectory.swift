// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// The tools that applications have declared, with the values that their items have been given.
///
/// Confined to the loop's thread. What is declared or changed is stored before it counts.
final class ToolDirectory: @unchecked Sendable {
    typealias Completion = @Sendable (Result<Void, SentinelError>) -> Void

    let limits: ToolLimits
    /// Told of an application whose tools have changed, or items of them.
    var changed: ((ApplicationID) -> Void)?

    let store: Store
    let registry: ApplicationRegistry
    let connection: Connection
    private let log: Log
    private var tools: [ApplicationID: [StoredTool]] = [:]
    /// Bytes of the tools of each application, with their values.
    private var byteCounts: [ApplicationID: Int] = [:]

    init(store: Store, registry: ApplicationRegistry, connection: Connection, limits: ToolLimits, log: Log) {
        self.store = store
        self.registry = registry
        self.connection = connection
        self.limits = limits
        self.log = log
    }

    /// Takes in what is stored, in place of what was known.
    ///
    /// - Throws: why the store cannot be read.
    func load() throws(SentinelError) {
        tools = Dictionary(grouping: try store.tools(), by: \.application)
        byteCounts = tools.mapValues(Self.byteCount)
    }

    /// Whether an application has declared any.
    func hasDeclarations(_ id: ApplicationID) -> Bool { tools[id] != nil }

    /// The tools of an application in declared order.
    func tools(of application: KnownApplication) -> [StoredTool] {
        tools[application.id] ?? []
    }

    /// The tools of an application as JSON, without the values of sensitive items and of what is live.
    func document(of application: KnownApplication) -> JSONValue {
        .array(tools(of: application).map(\.document))
    }

    /// A tool of an application.
    ///
    /// - Throws: code `unknownTool`.
    func tool(_ id: String, of application: KnownApplication) throws(SentinelError) -> StoredTool {
        guard let tool = tools(of: application).first(where: { $0.tool.id.text.utf8.elementsEqual(id.utf8) }) else {
            throw SentinelError(.unknownTool, "\(application.id) has no tool \(ShownText.make(id, limit: 255))")
        }
        return tool
    }

    /// Makes others the tools of an application, and tells what is not as it was.
    ///
    /// - Parameters:
    ///   - declared: those of them that may be new or others, in the order in which it is told.
    ///   - removed: those that are there no more.
    func replace(
        _ others: [StoredTool], of application: KnownApplication, declared: [StoredTool], removed: [Name] = []
    ) {
        let before = Dictionary(tools(of: application).map { ($0.tool.id, $0) }) { first, _ in first }
        tools[application.id] = others.isEmpty ? nil : others
        byteCounts[application.id] = others.isEmpty ? nil : Self.byteCount(of: others)
        let new = declared.filter { before[$0.tool.id]?.tool != $0.tool }.map(\.tool.id)
        if !new.isEmpty || !removed.isEmpty {
            emit(Tools1.Changed(declared: new.map(\.text), removed: removed.map(\.text)), of: application)
            changed?(application.id)
        }
        for tool in declared {
            guard let known = before[tool.tool.id], known.tool == tool.tool, known.values != tool.values
            else { continue }
            let values = known.valuesInForce
            announce(
                tool.valuesInForce.filter { values[$0.key] != $0.value }.map(\.key), of: tool.tool.id, of: application)
        }
    }

    private static func byteCount(of tools: [StoredTool]) -> Int { tools.reduce(0) { $0 + $1.byteCount } }

    /// Lets go of what belonged to an application that has been forgotten; the store has forgotten it too.
    func forget(_ id: ApplicationID) {
        tools[id] = nil
        byteCounts[id] = nil
    }
}

// MARK: - Declaring

extension ToolDirectory {
    /// Declares tools, all or none, each in the place of one of its id or after all others; one that is there already
    /// just as it is declared stays as it is, with its values.
    func declare(_ declared: [Tool], of application: KnownApplication, completion: @escaping Completion) {
        change(application, completion) { (present) throws(SentinelError) in
            var change = Change(of: present)
            for tool in declared {
                let stored = present.first { $0.tool.id == tool.id }
                if let stored, stored.tool == tool, stored.origin == .application { continue }
                change.declare(tool, of: application.id, origin: .application, inPlaceOf: stored)
            }
            return change
        }
    }

    /// Removes tools, all or none.
    func remove(_ ids: [String], of application: KnownApplication, completion: @escaping Completion) {
        change(application, isRepeatable: false, completion) { [self] (present) throws(SentinelError) in
            let most = max(limits.tools, present.count)
            guard ids.count <= most else {
                throw SentinelError(.limitsExceeded, "at most \(most) tools are removed at once, not \(ids.count)")
            }
            var change = Change(of: present)
            for id in ids {
                let tool = try tool(id, of: application).tool.id
                if !change.removed.contains(tool) {
                    change.removed.append(tool)
                }
            }
            return change
        }
    }

    /// Makes the tools of a manifest those that the application has of manifests. What it has declared itself under the
    /// same ids stays.
    func takeManifest(_ declared: [Tool], of application: KnownApplication, completion: @escaping Completion) {
        change(application, completion) { (present) throws(SentinelError) in
            var change = Change(of: present)
            for tool in declared {
                let stored = present.first { $0.tool.id == tool.id }
                guard stored?.origin != .application, stored?.tool != tool else { continue }
                change.declare(tool, of: application.id, origin: .manifest, inPlaceOf: stored)
            }
            let ids = Set(declared.map(\.id))
            change.removed = present.filter { $0.origin == .manifest && !ids.contains($0.tool.id) }.map(\.tool.id)
            return change
        }
    }

    private struct Change {
        var declared: [StoredTool] = []
        var removed: [Name] = []
        /// Where a tool stands that was not there before.
        private var next: Int64

        init(of present: [StoredTool]) {
            next = (present.last?.position ?? -1) + 1
        }

        /// Declares a tool in the place of another one, whose values it has if it is the same, or after all others.
        mutating func declare(
            _ tool: Tool, of application: ApplicationID, origin: StoredTool.Origin, inPlaceOf other: StoredTool?
        ) {
            declared.append(
                StoredTool(
                    application: application, tool: tool, position: other?.position ?? next, origin: origin,
                    values: other.flatMap { $0.tool == tool ? $0.values : nil } ?? [:]))
            next += other == nil ? 1 : 0
        }
    }

    /// Stores what `work` makes of the present tools, then takes it in.
    ///
    /// - Parameter isRepeatable: whether memory will do where no disk can be used.
    private func change(
        _ application: KnownApplication, isRepeatable: Bool = true, _ completion: @escaping Completion,
        _ work: @escaping ([StoredTool]) throws(SentinelError) -> Change
    ) {
        registry.inTurn(application, completion) { [self] over in
            do throws(SentinelError) {
                let change = try work(tools(of: application))
                guard !change.declared.isEmpty || !change.removed.isEmpty else {
                    completion(.success(()))
                    return over()
                }
                let after = applied(change, to: tools(of: application))
                try check(after, of: application)
                nonisolated(unsafe) let application = application
                store.change(
                    application.record, declaring: change.declared, removing: change.removed,
                    isRepeatable: isRepeatable,
                    completion: connection.loop.completion { [self] result in
                        if case .success = result {
                            take(change, of: application)
                        }
                        completion(result)
                        over()
                    })
            } catch {
                completion(.failure(error))
                over()
            }
        }
    }

    private func applied(_ change: Change, to present: [StoredTool]) -> [StoredTool] {
        let replaced = Set(change.removed + change.declared.map(\.tool.id))
        let kept = present.filter { !replaced.contains($0.tool.id) }
        return (kept + change.declared).sorted { $0.position < $1.position }
    }

    private func check(_ tools: [StoredTool], of application: KnownApplication) throws(SentinelError) {
        // Those that were there before a limit was lowered stay, and can be declared again.
        guard tools.count <= max(limits.tools, self.tools(of: application).count) else {
            throw SentinelError(.limitsExceeded, "an application has at most \(limits.tools) tools")
        }
        try check(byteCount: Self.byteCount(of: tools), of: application)
    }

    private func check(byteCount count: Int, of application: KnownApplication) throws(SentinelError) {
        let present = byteCounts[application.id] ?? 0
        guard count > present else { return }
        guard count <= limits.applicationBytes else {
            throw SentinelError(
                .limitsExceeded,
                "the tools of an application have at most \(limits.applicationBytes) bytes together, values included")
        }
        guard byteCounts.values.reduce(count - present, +) <= limits.totalBytes else {
            throw SentinelError(
                .limitsExceeded,
                "the tools of all applications have at most \(limits.totalBytes) bytes together, values included")
        }
    }

    private func take(_ change: Change, of application: KnownApplication) {
        replace(
            applied(change, to: tools(of: application)), of: application, declared: change.declared,
            removed: change.removed)
        if !hasDeclarations(application.id) {
            registry.keptChanged()
        }
    }
}

// MARK: - Values

extension ToolDirectory {
    /// What is to become of items of a tool.
    struct Assignment {
        /// Values to keep, each fit for its item.
        var kept: [Name: PreferenceValue] = [:]
        /// Items whose values are the provider's: that they have changed is all there is to say.
        var live: [Name] = []

        /// How many bytes more than these the values of a tool have afterwards.
        fileprivate func growth(of values: [Name: PreferenceValue]) -> Int {
            kept.reduce(0) { $0 + $1.value.byteCount - (values[$1.key]?.byteCount ?? 0) }
        }
    }

    /// Gives items of a tool values, all or none; what is their value already changes nothing.
    ///
    /// - Parameters:
    ///   - isRepeatable: whether memory will do where no disk can be used.
    ///   - work: tells what is to become of the tool as it is when its turn has come.
    func set(
        in tool: String, of application: KnownApplication, isRepeatable: Bool, completion: @escaping Completion,
        _ work: @escaping (StoredTool) throws(SentinelError) -> Assignment
    ) {
        registry.inTurn(application, completion) { [self] over in
            do throws(SentinelError) {
                let stored = try self.tool(tool, of: application)
                var assignment = try work(stored)
                let inForce = stored.valuesInForce
                assignment.kept = assignment.kept.filter { inForce[$0.key] != $0.value }
                try check(assignment, in: stored, of: application)
                guard !assignment.kept.isEmpty else {
                    announce(assignment.live, of: stored.tool.id, of: application)
                    completion(.success(()))
                    return over()
                }
                nonisolated(unsafe) let application = application
                store.set(
                    assignment.kept, of: stored.tool.id, of: application.id, isRepeatable: isRepeatable,
                    completion: connection.loop.completion { [self, assignment] result in
                        if case .success = result {
                            take(assignment, in: stored.tool.id, of: application)
                        }
                        completion(result)
                        over()
                    })
            } catch {
                completion(.failure(error))
                over()
            }
        }
    }

    private func check(
        _ assignment: Assignment, in stored: StoredTool, of application: KnownApplication
    ) throws(SentinelError) {
        let growth = assignment.growth(of: stored.values)
        guard stored.valueByteCount + growth <= limits.toolBytes || growth <= 0 else {
            throw SentinelError(
                .limitsExceeded, "the values of a tool have at most \(limits.toolBytes) bytes together")
        }
        try check(byteCount: (byteCounts[application.id] ?? 0) + growth, of: application)
    }

    private func take(_ assignment: Assignment, in tool: Name, of application: KnownApplication) {
        let id = application.id
        guard let place = tools[id]?.firstIndex(where: { $0.tool.id == tool }), let values = tools[id]?[place].values
        else { return }
        byteCounts[id, default: 0] += assignment.growth(of: values)
        tools[id]?[place].values.merge(assignment.kept) { $1 }
        announce(assignment.kept.keys + assignment.live, of: tool, of: application)
    }

    /// Makes known that values of items have changed.
    func announce(_ items: [Name], of tool: Name, of application: KnownApplication) {
        guard !items.isEmpty else { return }
        emit(Tools1.ItemChanged(tool: tool.text, items: items.sorted().map(\.text)), of: application)
        changed?(application.id)
    }

    private func emit(_ signal: some SignalContents, of application: KnownApplication) {
        do throws(DBusError) {
            connection.objects.emit(signal, from: try ApplicationObjects.path(of: application.id))
        } catch {
            log.error("no path for the application \(application.id): \(error)")
        }
    }
}
