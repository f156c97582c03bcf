// SPDX-License-Identifier: MIT

/// What the bus itself is asked (D-Bus Specification, "Message Bus Messages").
extension Connection {
    /// How a name is asked for (`RequestName`).
    public struct NameFlags: OptionSet, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Others may take the name over.
        public static let allowReplacement = NameFlags(rawValue: 1)
        /// The name is taken over from an owner that allows it.
        public static let replaceExisting = NameFlags(rawValue: 2)
        /// The caller does not wait for the name to become free.
        public static let doNotQueue = NameFlags(rawValue: 4)
    }

    /// What came of asking for a name.
    public enum NameOutcome: UInt32, Sendable {
        /// The connection owns the name now.
        case primaryOwner = 1
        /// Another connection owns the name; this one gets it when those before it have given it up.
        case inQueue = 2
        /// Another connection owns the name and keeps it.
        case exists = 3
        /// The connection has owned the name before.
        case alreadyOwner = 4
    }

    /// Asks for a well-known name; `completion` is called on the loop's thread.
    ///
    /// Export objects before: calls can come before the outcome.
    public func requestName(
        _ name: BusName, flags: NameFlags,
        completion: @escaping @Sendable (Result<NameOutcome, DBusError>) -> Void
    ) {
        callBus("RequestName", name.text, flags.rawValue) { result in
            completion(
                result.read { (body) throws(DBusError) in
                    guard let outcome = NameOutcome(rawValue: try body.read()) else {
                        throw DBusError(.failed, "the bus answered a request for \(name) in an unknown way")
                    }
                    return outcome
                })
        }
    }

    /// Gives a name back; `completion` is called on the loop's thread when the bus has done it.
    public func releaseName(_ name: BusName, completion: @escaping @Sendable () -> Void = {}) {
        callBus("ReleaseName", name.text) { _ in completion() }
    }

    /// Tells on the loop's thread who owns a name; nil if nobody does.
    public func owner(of name: BusName, completion: @escaping @Sendable (Result<BusName?, DBusError>) -> Void) {
        callBus("GetNameOwner", name.text) { result in
            if case .failure(let error) = result, error.code == .nameHasNoOwner {
                completion(.success(nil))
            } else {
                completion(result.read { (body) throws(DBusError) in BusName(unchecked: try body.read()) })
            }
        }
    }

    /// Tells on the loop's thread what the bus knows of a peer: `ProcessID`, `UnixUserID` and whatever else it has.
    public func credentials(
        of peer: BusName, completion: @escaping @Sendable (Result<[Key: Value], DBusError>) -> Void
    ) {
        callBus("GetConnectionCredentials", peer.text) { result in
            completion(result.read { (body) throws(DBusError) in try body.read() })
        }
    }

    /// Has `handler` called on the loop's thread when this connection has lost a name to another owner.
    public func onNameLost(_ name: BusName, _ handler: @escaping @Sendable () -> Void) -> Subscription {
        let rule = MatchRule(
            sender: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameLost",
            argument0: name.text)
        return subscribe(to: rule) { _ in handler() }
    }

    func callBus<each Argument: WireCodable>(
        _ member: MemberName, _ arguments: repeat each Argument,
        completion: @escaping @Sendable (Result<Message, DBusError>) -> Void
    ) {
        do {
            let message = try Message.methodCall(
                to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member
            ) { (writer) throws(DBusError) in
                repeat try writer.write(each arguments)
            }
            call(message, completion: completion)
        } catch {
            completion(.failure(error))
        }
    }
}

extension Result where Success == Message, Failure == DBusError {
    /// The outcome of reading a reply's body.
    public func read<Value>(
        _ body: (inout Reader) throws(DBusError) -> Value
    ) -> Result<Value, DBusError> {
        flatMap { message in
            do throws(DBusError) {
                var reader = message.body
                return .success(try body(&reader))
            } catch {
                return .failure(error)
            }
        }
    }
}
