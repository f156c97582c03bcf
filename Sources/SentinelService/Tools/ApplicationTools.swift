// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

/// `org.sentinel.Tools1` of one application.
///
/// Confined to the loop's thread.
final class ApplicationTools: Tools1Handler, @unchecked Sendable {
    /// Gets what has become of what was asked.
    typealias Completion<Success> = @Sendable (Result<Success, SentinelError>) -> Void

    private let application: KnownApplication
    private let directory: ToolDirectory
    private let link: ProviderLink

    init(_ application: KnownApplication, directory: ToolDirectory, link: ProviderLink) {
        self.application = application
        self.directory = directory
        self.link = link
    }

    // MARK: Declarations

    func list(reply: Reply<[ToolEntry]>) {
        reply(directory.tools(of: application).map { ToolEntry($0.tool) })
    }

    func declare(tools: [ToolDeclaration], reply: Reply<>) {
        reply.attempt {
            var reader = ToolReader(.declaration, limits: directory.limits)
            let declared: [Tool]
            do throws(DeclarationProblem) {
                guard tools.count <= directory.limits.tools else {
                    throw DeclarationProblem(
                        "tools", "at most \(directory.limits.tools) tools are allowed", code: .limitsExceeded)
                }
                declared = try reader.tools(try ScreenDocument.tools(tools))
            } catch {
                throw error.error
            }
            directory.declare(declared, of: application, completion: Self.answer(reply))
        }
    }

    func remove(tools: [String], reply: Reply<>) {
        directory.remove(tools, of: application, completion: Self.answer(reply))
    }

    private static func answer(_ reply: Reply<>) -> ToolDirectory.Completion {
        { result in
            reply.attempt {
                try result.get()
                reply()
            }
        }
    }

    // MARK: Content

    func content(tool: String, reply: Reply<[Section]>) {
        reply.attempt {
            let stored = try directory.tool(tool, of: application)
            if stored.tool.isLive {
                return liveSections(of: stored.tool) { result in
                    reply.attempt { reply(try result.get().map { Section($0) }) }
                }
            }
            let sections = stored.sections
            guard sections.contains(where: { $0.items.contains(where: \.attributes.isLive) }) else {
                return reply(sections.map { Section($0) })
            }
            liveSections(of: stored.tool) { result in
                let items = result.map(\.itemsByID)
                reply(sections.map { Section($0.completed(by: items)) })
            }
        }
    }

    /// Asks the provider for the content of a tool, and checks what it says.
    private func liveSections(
        of tool: Tool, completion: @escaping (Result<[ToolSection], SentinelError>) -> Void
    ) {
        link.content(of: tool.id, of: application) { [limits = directory.limits] result in
            completion(result.flatMap { Self.sections($0, of: tool, limits: limits) })
        }
    }

    private static func sections(
        _ given: [Section], of tool: Tool, limits: ToolLimits
    ) -> Result<[ToolSection], SentinelError> {
        do throws(DeclarationProblem) {
            var reader = ToolReader(.provider, limits: limits)
            let sections = try reader.sections(try ScreenDocument.sections(given, at: "sections"))
            let items = tool.sections.itemsByID
            for (index, section) in sections.enumerated() {
                for item in section.items {
                    guard let declared = items[item.id], declared.kind != item.kind else { continue }
                    throw DeclarationProblem(
                        "sections[\(index)]",
                        "item \(item.id) was declared as \(declared.kind.name), not as \(item.kind.name)")
                }
            }
            return .success(sections)
        } catch {
            return .failure(
                SentinelError(
                    .unavailable, "the provider's screen cannot be taken: \(ShownText.make(error.description))",
                    underlying: error))
        }
    }

    /// Finds an item: a declared one, or one of the screen that the provider of a live tool has at the moment.
    private func find(
        _ id: String, in stored: StoredTool,
        completion: @escaping (Result<ToolItem?, SentinelError>) -> Void
    ) {
        let declared = stored.tool.sections.lazy.flatMap(\.items).first { $0.id.text.utf8.elementsEqual(id.utf8) }
        guard declared == nil, stored.tool.isLive else { return completion(.success(declared)) }
        liveSections(of: stored.tool) { result in
            completion(
                result.map { sections in
                    sections.lazy.flatMap(\.items).first { $0.id.text.utf8.elementsEqual(id.utf8) }
                })
        }
    }

    // MARK: Values

    func set(tool: String, item: String, value: Value, reply: Reply<Value>) {
        set(tool: tool, item: item, value: value, completion: Self.answer(reply))
    }

    /// Changes the value of an item; the completion gets the value in force afterwards.
    func set(tool: String, item: String, value: Value, completion: @escaping Completion<Value>) {
        do throws(SentinelError) {
            let stored = try directory.tool(tool, of: application)
            find(item, in: stored) { [self] result in
                do throws(SentinelError) {
                    guard let found = try result.get() else { throw Self.unknownItem(item, stored.tool) }
                    let canonical = try Self.writable(found, value)
                    guard found.attributes.isLive || stored.tool.isLive else {
                        return store(canonical, of: found.id, in: tool, completion)
                    }
                    write(canonical, to: found, of: stored.tool, completion)
                } catch {
                    completion(.failure(error))
                }
            }
        } catch {
            completion(.failure(error))
        }
    }

    private static func answer<Answer: WireCodable>(_ reply: Reply<Answer>) -> Completion<Answer> {
        { result in
            reply.attempt { reply(try result.get()) }
        }
    }

    private static func writable(_ item: ToolItem, _ value: Value) throws(SentinelError) -> PreferenceValue {
        guard item.isWritable else { throw SentinelError(.readOnly, "item \(item.id) cannot be changed") }
        return try item.canonical(value)
    }

    private func store(
        _ value: PreferenceValue, of id: Name, in tool: String, _ completion: @escaping Completion<Value>
    ) {
        directory.set(
            in: tool, of: application, isRepeatable: false,
            completion: { completion($0.map { Value(value) }) },
            { (stored) throws(SentinelError) in
                // The tool may have been declared anew while this waited.
                guard let item = stored.tool.item(id) else { throw Self.unknownItem(id.text, stored.tool) }
                return ToolDirectory.Assignment(kept: [id: try Self.writable(item, Value(value))])
            })
    }

    private func write(
        _ value: PreferenceValue, to item: ToolItem, of tool: Tool, _ completion: @escaping Completion<Value>
    ) {
        link.setItem(item.id, of: tool.id, to: Value(value), of: application) { [self] result in
            let inForce = result.flatMap { Self.inForce($0, of: item) }
            if case .success = inForce {
                directory.announce([item.id], of: tool.id, of: application)
            }
            completion(inForce)
        }
    }

    /// The value that a provider says is in force.
    private static func inForce(_ answer: Value, of item: ToolItem) -> Result<Value, SentinelError> {
        do throws(SentinelError) {
            return .success(Value(try item.canonical(answer)))
        } catch {
            return .failure(
                SentinelError(
                    .unavailable, "the provider's answer to SetItem cannot be taken: \(error.message)",
                    underlying: error))
        }
    }

    func update(tool: String, values: [Key: Value], reply: Reply<>) {
        directory.set(
            in: tool, of: application, isRepeatable: true, completion: Self.answer(reply)
        ) { [limits = directory.limits] (stored) throws(SentinelError) in
            let items = stored.tool.sections.itemsByID
            let most = max(limits.items, items.count)
            guard values.count <= most else {
                throw SentinelError(.limitsExceeded, "at most \(most) values are taken at once, not \(values.count)")
            }
            var assignment = ToolDirectory.Assignment()
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                let id = try Name(key.text, as: "item")
                guard let item = items[id] else {
                    // The provider of a live tool may have items that are not declared.
                    guard stored.tool.isLive else { throw Self.unknownItem(key.text, stored.tool) }
                    assignment.live.append(id)
                    continue
                }
                let canonical = try item.canonical(value)
                if stored.tool.isLive || item.attributes.isLive {
                    assignment.live.append(id)
                } else {
                    assignment.kept[id] = canonical
                }
            }
            return assignment
        }
    }

    private static func unknownItem(_ id: String, _ tool: Tool) -> SentinelError {
        SentinelError(.unknownItem, "tool \(tool.id) has no item \(ShownText.make(id, limit: 255))")
    }

    // MARK: Actions

    func invoke(tool: String, action: String, parameters: [Key: Value], reply: Reply<[Key: Value]>) {
        invoke(tool: tool, action: action, parameters: parameters, completion: Self.answer(reply))
    }

    /// Performs an action; the completion gets its results.
    func invoke(
        tool: String, action: String, parameters: [Key: Value], completion: @escaping Completion<[Key: Value]>
    ) {
        do throws(SentinelError) {
            let stored = try directory.tool(tool, of: application)
            find(action, in: stored) { [self] result in
                do throws(SentinelError) {
                    guard let item = try result.get(), item.kind == .action else {
                        throw SentinelError(
                            .unknownAction, "tool \(stored.tool.id) has no action \(ShownText.make(action, limit: 255))"
                        )
                    }
                    invoke(item, of: stored.tool, with: try item.checked(parameters), completion)
                } catch {
                    completion(.failure(error))
                }
            }
        } catch {
            completion(.failure(error))
        }
    }

    private func invoke(
        _ action: ToolItem, of tool: Tool, with parameters: [Key: Value],
        _ completion: @escaping Completion<[Key: Value]>
    ) {
        link.invoke(action.id, of: tool.id, with: parameters, of: application) { result in
            completion(result.flatMap { Self.results($0) })
        }
    }

    private static func results(_ given: [Key: Value]) -> Result<[Key: Value], SentinelError> {
        do throws(SentinelError) {
            return .success(try KeptValues.canonical(given))
        } catch {
            return .failure(
                SentinelError(
                    .unavailable, "the provider's results cannot be taken: \(ShownText.make(error.message))",
                    underlying: error))
        }
    }
}

extension ToolItem {
    /// The parameters of a call of this action: every declared one is there and fits; others are passed on.
    ///
    /// - Throws: `invalidArgs` for one that is missing or of a type that is not kept, `invalidValue` for one that does
    ///   not fit.
    fileprivate func checked(_ given: [Key: Value]) throws(SentinelError) -> [Key: Value] {
        var checked = given
        for parameter in parameters {
            let key = Key(parameter.name.text)
            guard let value = given[key] else {
                throw SentinelError(
                    .invalidArgs, "parameter \(key) is missing: expected \(parameter.rule.wanted)")
            }
            do throws(SentinelError) {
                checked[key] = Value(try parameter.rule.canonical(value.preference))
            } catch {
                throw SentinelError(
                    error.code, "parameter \(key): \(error.message); got a value of type \(value.unwrapped.type)")
            }
        }
        do throws(SentinelError) {
            return try KeptValues.canonical(checked)
        } catch {
            throw SentinelError(error.code, "parameter \(error.message)", underlying: error)
        }
    }
}

extension ToolSection {
    /// The section with what a provider says of its live items.
    fileprivate func completed(by live: Result<[Name: ToolItem], SentinelError>) -> ToolSection {
        var section = self
        for index in section.items.indices where section.items[index].attributes.isLive {
            switch live {
            case .failure(let error):
                section.items[index].showAbsence(because: error.message)
            case .success(let items):
                guard let given = items[section.items[index].id] else {
                    section.items[index].showAbsence(because: "the provider says nothing of it")
                    continue
                }
                section.items[index].take(given)
            }
        }
        return section
    }
}

extension ToolItem {
    /// Takes over what a provider says of this item.
    fileprivate mutating func take(_ given: ToolItem) {
        if let error = given.attributes.error {
            return showAbsence(because: error)
        }
        do {
            guard let value = given.value else { return showAbsence(because: "the provider gives no value") }
            show(try canonical(value))
        } catch {
            showAbsence(because: "the provider's value cannot be taken: \(error.message)")
        }
    }
}

extension ToolEntry {
    /// A tool in a listing.
    fileprivate init(_ tool: Tool) {
        var attributes: [Key: Value] = [:]
        attributes["description"] = tool.description.map(Value.string)
        attributes["icon"] = tool.icon.map(Value.string)
        attributes["live"] = tool.isLive ? .boolean(true) : nil
        self.init(id: tool.id.text, name: tool.name, kind: tool.kind.rawValue, attributes: attributes)
    }
}
