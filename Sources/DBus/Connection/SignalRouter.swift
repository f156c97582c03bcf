// SPDX-License-Identifier: MIT

/// Brings signals to those who want them, and counts who wants what.
///
/// A value that belongs to a connection and is confined to its loop's thread.
struct SignalRouter {
    typealias Identifier = UInt64

    /// Someone who wants signals.
    struct Route {
        let rule: MatchRule
        let handler: @Sendable (Message) -> Void
        let ended: @Sendable (DBusError) -> Void
    }

    private var routes: [Identifier: Route] = [:]
    /// The routes by the member that they want, in the order in which they came; nil stands for every member.
    private var byMember: [MemberName?: [Identifier]] = [:]
    private var ruleCounts: [MatchRule: Int] = [:]
    private var owners: [BusName: BusName] = [:]
    private var lastIdentifier: Identifier = 0

    /// The number of different rules that the bus holds for this connection.
    var ruleCount: Int { ruleCounts.count }

    /// The number of names whose owners are known.
    var ownerCount: Int { owners.count }

    /// Adds a route.
    ///
    /// - Returns: its identifier, and whether the bus must be told the rule.
    mutating func add(_ route: Route) -> (Identifier, isNew: Bool) {
        lastIdentifier += 1
        routes[lastIdentifier] = route
        byMember[route.rule.member, default: []].append(lastIdentifier)
        ruleCounts[route.rule, default: 0] += 1
        return (lastIdentifier, ruleCounts[route.rule] == 1)
    }

    /// Removes a route.
    ///
    /// - Returns: the rule if the bus must forget it.
    mutating func remove(_ identifier: Identifier) -> MatchRule? {
        guard let route = routes.removeValue(forKey: identifier) else { return nil }
        byMember[route.rule.member]?.removeAll { $0 == identifier }
        if byMember[route.rule.member]?.isEmpty == true {
            byMember[route.rule.member] = nil
        }
        let count = (ruleCounts[route.rule] ?? 0) - 1
        ruleCounts[route.rule] = count > 0 ? count : nil
        guard count == 0 else { return nil }
        if let sender = route.rule.sender, !ruleCounts.keys.contains(where: { $0.sender == sender }) {
            owners[sender] = nil
        }
        return route.rule
    }

    /// Removes all routes with a rule that the bus has refused.
    mutating func removeAll(with rule: MatchRule) -> [Route] {
        let refused = routes.filter { $0.value.rule == rule }.sorted { $0.key < $1.key }
        for (identifier, _) in refused {
            _ = remove(identifier)
        }
        return refused.map(\.value)
    }

    /// A route; nil once it is removed.
    func route(_ identifier: Identifier) -> Route? { routes[identifier] }

    /// Notes who owns a well-known name that a rule has as its sender.
    mutating func setOwner(_ owner: BusName?, of name: BusName) {
        owners[name] = owner
    }

    /// The routes that want a signal, in the order in which they came.
    ///
    /// Each must still be there when its turn comes: a handler can remove another.
    func routes(for signal: Message) -> [Identifier] {
        let candidates = [signal.member, nil].flatMap { byMember[$0] ?? [] }
        return candidates.sorted()
            .filter { routes[$0]?.rule.matches(signal, owner: { owners[$0] }) == true }
    }

    /// Takes all routes out.
    mutating func removeAll() -> [Route] {
        defer { self = SignalRouter() }
        return Array(routes.values)
    }
}
