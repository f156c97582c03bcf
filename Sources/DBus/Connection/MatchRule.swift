// SPDX-License-Identifier: MIT

/// Which signals are wanted (D-Bus Specification, "Match Rules"); what is nil may be anything.
public struct MatchRule: Hashable, Sendable {
    /// The sender: a unique name, the bus itself, or a well-known name, which stands for its owner of the moment.
    public var sender: BusName?
    /// The object that signals.
    public var path: ObjectPath?
    /// The object that signals, or one of its ancestors.
    public var pathNamespace: ObjectPath?
    /// The signal's interface.
    public var interface: InterfaceName?
    /// The signal's name.
    public var member: MemberName?
    /// What the first argument, a text, must be, byte for byte.
    public var argument0: Key?

    /// Makes a rule.
    public init(
        sender: BusName? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil,
        interface: InterfaceName? = nil, member: MemberName? = nil, argument0: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.argument0 = argument0.map { Key($0) }
    }

    /// The rule as the bus reads it.
    public var text: String {
        let conditions = [
            ("sender", sender?.text), ("path", path?.text), ("path_namespace", pathNamespace?.text),
            ("interface", interface?.text), ("member", member?.text), ("arg0", argument0?.text),
        ]
        return "type='signal'"
            + conditions.compactMap { key, value in value.map { ",\(key)=\(Self.quote($0))" } }.joined()
    }

    /// Whether a signal fits the rule; `owner` tells who owns a well-known name.
    func matches(_ signal: Message, owner: (BusName) -> BusName?) -> Bool {
        if let member, signal.member != member { return false }
        if let interface, signal.interface != interface { return false }
        if let path, signal.path != path { return false }
        if let pathNamespace {
            guard let path = signal.path, path == pathNamespace || path.isDescendant(of: pathNamespace) else {
                return false
            }
        }
        if let sender {
            let expected = sender.isUnique || sender == .bus ? sender : owner(sender)
            guard let expected, signal.sender == expected else { return false }
        }
        if let argument0 {
            var body = signal.body
            guard let argument = body.optionalText(), Key(argument) == argument0 else { return false }
        }
        return true
    }

    /// Quotes a value: nothing is special between apostrophes, which themselves stand escaped outside.
    private static func quote(_ value: String) -> String {
        "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
