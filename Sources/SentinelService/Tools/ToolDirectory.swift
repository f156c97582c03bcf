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

    let store: Store
    private let registry: ApplicationRegistry
    let connection: Connection
    private var tools: [ApplicationID: [StoredTool]] = [:]
    /// Bytes of the tools of each application.
    private var byteCounts: [ApplicationID: Int] = [:]

    init(store: Store, registry: ApplicationRegistry, connection: Connection, limits: ToolLimits) {
        self.store = store
        self.registry = registry
        self.connection = connection
        self.limits = limits
    }

    /// Takes in what is stored, in place of what was known.
    ///
    /// - Throws: why the store cannot be read.
    func load() throws(SentinelError) {
        let stored = Dictionary(grouping: try store.tools(), by: \.application)
        tools = stored
        byteCounts = stored.mapValues { tools in tools.reduce(0) { $0 + $1.tool.byteCount } }
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

    /// Makes others the tools of an application, and tells which they are not as they were.
    func replace(_ others: [StoredTool], of application: KnownApplication) {
        let before = tools(of: application)
        tools[application.id] = others.isEmpty ? nil : others
        byteCounts[application.id] = others.isEmpty ? nil : others.reduce(0) { $0 + $1.tool.byteCount }
        let new = others.filter { tool in !before.contains { $0.tool == tool.tool } }
        guard !new.isEmpty else { return }
        emit(Tools1.Changed(declared: new.map(\.tool.id.text), removed: []), of: application)
    }

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
    ///
    /// - Parameter origin: who declares them.
    func declare(
        _ declared: [Tool], of application: KnownApplication, origin: StoredTool.Origin = .application,
        completion: @escaping Completion
    ) {
        change(application, completion) { (present) throws(SentinelError) in
            var change = Change(of: present)
            for tool in declared {
                let stored = present.first { $0.tool.id == tool.id }
                if let stored, stored.tool == tool, stored.origin == origin { continue }
                change.declare(tool, of: application.id, origin: origin, inPlaceOf: stored)
            }
            return change
        }
    }

    /// Removes tools, all or none.
    func remove(_ ids: [String], of application: KnownApplication, completion: @escaping Completion) {
        change(application, completion) { [self] (present) throws(SentinelError) in
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

        /// Declares a tool in the place of another one, or after all others.
        mutating func declare(
            _ tool: Tool, of application: ApplicationID, origin: StoredTool.Origin, inPlaceOf other: StoredTool?
        ) {
            declared.append(
                StoredTool(application: application, tool: tool, position: other?.position ?? next, origin: origin))
            next += other == nil ? 1 : 0
        }
    }

    /// Stores what `work` makes of the present tools, then takes it in.
    private func change(
        _ application: KnownApplication, _ completion: @escaping Completion,
        _ work: @escaping ([StoredTool]) throws(SentinelError) -> Change
    ) {
        inTurn(application, completion) { [self] over in
            do throws(SentinelError) {
                let change = try work(tools(of: application))
                guard !change.declared.isEmpty || !change.removed.isEmpty else {
                    completion(.success(()))
                    return over()
                }
                let after = applied(change, to: tools(of: application))
                try check(after, of: application)
                nonisolated(unsafe) let application = application
                store.change(application.record, declaring: change.declared, removing: change.removed) {
                    [self, loop = connection.loop] result in
                    loop.enqueue { [self] in
                        if case .success = result {
                            take(change, of: application)
                        }
                        completion(result)
                        over()
                    }
                }
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
        let count = tools.reduce(0) { $0 + $1.tool.byteCount }
        guard count <= max(limits.applicationBytes, byteCounts[application.id] ?? 0) else {
            throw SentinelError(
                .limitsExceeded, "the tools of an application have at most \(limits.applicationBytes) bytes together")
        }
        let others = byteCounts.reduce(0) { $0 + ($1.key == application.id ? 0 : $1.value) }
        guard others + count <= limits.totalBytes || count <= byteCounts[application.id] ?? 0 else {
            throw SentinelError(
                .limitsExceeded, "the tools of all applications have at most \(limits.totalBytes) bytes together")
        }
    }

    private func take(_ change: Change, of application: KnownApplication) {
        let after = applied(change, to: tools(of: application))
        tools[application.id] = after.isEmpty ? nil : after
        byteCounts[application.id] = after.isEmpty ? nil : after.reduce(0) { $0 + $1.tool.byteCount }
        if after.isEmpty {
            registry.keptChanged()
        }
        emit(
            Tools1.Changed(declared: change.declared.map(\.tool.id.text), removed: change.removed.map(\.text)),
            of: application)
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
    }

    /// Gives items of a tool values, all or none; what is their value already changes nothing.
    ///
    /// - Parameter work: tells what is to become of the tool as it is when its turn has come.
    func set(
        in tool: String, of application: KnownApplication, completion: @escaping Completion,
        _ work: @escaping (StoredTool) throws(SentinelError) -> Assignment
    ) {
        inTurn(application, completion) { [self] over in
            do throws(SentinelError) {
                let stored = try self.tool(tool, of: application)
                var assignment = try work(stored)
                assignment.kept = assignment.kept.filter { stored.value(of: $0.key) != $0.value }
                try check(stored.values.merging(assignment.kept) { $1 })
                guard !assignment.kept.isEmpty else {
                    announce(assignment.live, of: stored.tool.id, of: application)
                    completion(.success(()))
                    return over()
                }
                store(assignment, in: stored.tool.id, of: application) { result in
                    completion(result)
                    over()
                }
            } catch {
                completion(.failure(error))
                over()
            }
        }
    }

    private func check(_ values: [Name: PreferenceValue]) throws(SentinelError) {
        guard values.reduce(0, { $0 + $1.value.byteCount }) <= limits.toolBytes else {
            throw SentinelError(
                .limitsExceeded, "the values of a tool have at most \(limits.toolBytes) bytes together")
        }
    }

    private func store(
        _ assignment: Assignment, in tool: Name, of application: KnownApplication, completion: @escaping Completion
    ) {
        nonisolated(unsafe) let application = application
        store.set(assignment.kept, of: tool, of: application.id) { [self, loop = connection.loop] result in
            loop.enqueue { [self] in
                if case .success = result, let place = tools[application.id]?.firstIndex(where: { $0.tool.id == tool })
                {
                    tools[application.id]?[place].values.merge(assignment.kept) { $1 }
                    announce(assignment.kept.keys + assignment.live, of: tool, of: application)
                }
                completion(result)
            }
        }
    }

    /// Makes known that values of items have changed.
    func announce(_ items: [Name], of tool: Name, of application: KnownApplication) {
        guard !items.isEmpty else { return }
        emit(Tools1.ItemChanged(tool: tool.text, items: items.sorted().map(\.text)), of: application)
    }

    private func emit(_ signal: some SignalContents, of application: KnownApplication) {
        do throws(DBusError) {
            connection.objects.emit(signal, from: try ApplicationObjects.path(of: application.id))
        } catch {
            // An application without a path has no object that anybody listens to.
        }
    }

    /// Does work on an application once what came before for it is over.
    func inTurn(
        _ application: KnownApplication, _ completion: @escaping Completion, _ work: @escaping WorkLine.Work
    ) {
        registry.inTurn(application.id) { [registry] over in
            // It may have been forgotten while this waited.
            guard registry.find(application.id) === application else {
                completion(.failure(SentinelError(.unknownApplication, "\(application.id) has been forgotten")))
                return over()
            }
            work(over)
        }
    }
}

extension StoredTool {
    /// The value of an item at the moment; nil for one that has none.
    func value(of item: Name) -> PreferenceValue? {
        values[item] ?? tool.item(item)?.value
    }

    fileprivate var document: JSONValue {
        let items = sections.flatMap(\.items).filter { !$0.attributes.isSensitive && !$0.attributes.isLive }
        return [
            "id": .string(tool.id.text),
            "name": .string(tool.name),
            "kind": .string(tool.kind.rawValue),
            "values": .object(items.compactMap { item in item.value.map { (item.id.text, $0.json) } }),
        ]
    }

    /// The sections with the values of the moment.
    var sections: [ToolSection] {
        var sections = tool.sections
        for section in sections.indices {
            for item in sections[section].items.indices {
                guard let value = values[sections[section].items[item].id] else { continue }
                sections[section].items[item].show(value)
            }
        }
        return sections
    }
}

extension ToolItem {
    /// Takes a value in place of the declared one.
    mutating func show(_ value: PreferenceValue) {
        var attributes = attributes
        attributes.isModified = value != self.value
        self = ToolItem(
            id: id, kind: kind, title: title, value: value, rule: rule, attributes: attributes, target: target,
            parameters: parameters)
    }

    /// Says why the value cannot be had.
    mutating func showAbsence(because reason: String) {
        var attributes = attributes
        attributes.error = reason
        self = ToolItem(
            id: id, kind: kind, title: title, value: nil, rule: rule, attributes: attributes, target: target,
            parameters: parameters)
    }
}
