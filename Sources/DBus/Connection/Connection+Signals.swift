// SPDX-License-Identifier: MIT

import Locking

/// What a subscription has on the loop's thread.
private struct Membership {
    var isCancelled = false
    var route: SignalRouter.Identifier?
    /// Follows the owner of the rule's sender.
    var ownership: Subscription?
}

extension Connection {
    /// Has `handler` called on the loop's thread for each signal that fits a rule, in the order of arrival.
    ///
    /// Equal rules are told to the bus once and forgotten with their last subscription. `ended` is called once if the
    /// bus refuses the rule or the connection ends.
    public func subscribe(
        to rule: MatchRule,
        ended: @escaping @Sendable (DBusError) -> Void = { _ in },
        _ handler: @escaping @Sendable (Message) -> Void
    ) -> Subscription {
        let membership = Guarded(Membership())
        let isQueued = onLoop { connection in
            // It can be cancelled on the loop's thread before this job has its turn.
            guard !membership.withLock({ $0.isCancelled }) else { return }
            var ownership: Subscription?
            if let sender = rule.sender, !sender.isUnique, sender != .bus {
                // The bus knows who owns the name; here it must be known too, since other rules bring signals as well.
                ownership = connection.watchOwner(of: sender) { [weak connection] owner in
                    connection?.withRouter { $0.setOwner(owner, of: sender) }
                }
            }
            let identifier = connection.addRoute(SignalRouter.Route(rule: rule, handler: handler, ended: ended))
            membership.withLock { [ownership] membership in
                membership.route = identifier
                membership.ownership = ownership
            }
        }
        if !isQueued {
            ended(Self.ended)
        }
        return Subscription { [weak self] in
            membership.withLock { $0.isCancelled = true }
            self?.onLoop { connection in
                let left = membership.withLock { membership in
                    defer { membership = Membership(isCancelled: true) }
                    return membership
                }
                left.ownership?.cancel()
                if let identifier = left.route {
                    connection.removeRoute(identifier)
                }
            }
        }
    }

    /// The signals that fit a rule, as a sequence for one consumer.
    ///
    /// At most `capacity` signals, and 16 MiB of them, wait; what comes then is dropped, and the next element says how
    /// many were. The sequence ends when its task is cancelled, and throws when the connection ends.
    public func signals(matching rule: MatchRule, capacity: Int = 256) -> SignalStream {
        let buffer = SignalBuffer(capacity: capacity)
        let subscription = subscribe(
            to: rule,
            ended: { buffer.finish(throwing: $0) },
            { buffer.append($0) })
        return SignalStream(buffer: buffer, subscription: subscription)
    }

    /// Has `handler` called on the loop's thread with the owner of a name: once soon, then whenever it changes.
    public func watchOwner(
        of name: BusName, _ handler: @escaping @Sendable (BusName?) -> Void
    ) -> Subscription {
        let hasChanged = Guarded(false)
        let isCancelled = Guarded(false)
        let rule = MatchRule(
            sender: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged", argument0: name.text)
        let subscription = subscribe(to: rule) { signal in
            var body = signal.body
            // The name, the owner before, the owner now.
            guard body.optionalText() != nil, body.optionalText() != nil, let owner = body.optionalText() else {
                return
            }
            hasChanged.withLock { $0 = true }
            handler(owner.isEmpty ? nil : BusName(unchecked: owner))
        }
        owner(of: name) { result in
            // A change that came meanwhile is the newer news.
            guard !hasChanged.withLock({ $0 }), !isCancelled.withLock({ $0 }) else { return }
            if case .success(let owner) = result {
                handler(owner)
            }
        }
        return Subscription {
            isCancelled.withLock { $0 = true }
            subscription.cancel()
        }
    }

    private func addRoute(_ route: SignalRouter.Route) -> SignalRouter.Identifier {
        let (identifier, isNew) = withRouter { $0.add(route) }
        guard isNew else { return identifier }
        callBus("AddMatch", route.rule.text) { [weak self] result in
            guard case .failure(let error) = result, let self else { return }
            for refused in withRouter({ $0.removeAll(with: route.rule) }) {
                refused.ended(error)
            }
        }
        return identifier
    }

    private func removeRoute(_ identifier: SignalRouter.Identifier) {
        if let rule = withRouter({ $0.remove(identifier) }) {
            // The rule may be gone with the connection; nothing depends on the answer.
            callBus("RemoveMatch", rule.text) { _ in }
        }
    }
}
