// SPDX-License-Identifier: MIT

/// The objects that a connection offers: it finds the object, interface and method that a call means.
///
/// Confined to the loop's thread.
public final class ObjectServer: @unchecked Sendable {
    /// Lets a call in or answers it with an error.
    ///
    /// - Parameters:
    ///   - call: the call, which has the signature of its method.
    ///   - interface: the interface that is called, also where the call names none.
    ///   - proceed: to be called on the loop's thread if the call is let in.
    public typealias Gate = (
        _ call: MethodCall, _ interface: InterfaceName, _ proceed: @escaping () -> Void
    ) -> Void

    /// Decides on every call but those to `Introspectable` and `Peer`; nil lets all in.
    public var gate: Gate?

    /// The connection that the objects are called through.
    public internal(set) weak var connection: Connection?

    /// The calls that have come and wait for their answer.
    let unanswered = UnansweredCalls()

    private var objects: [ObjectPath: ExportedObject] = [:]
    private var subtrees: [ObjectPath: any ObjectSubtree] = [:]
    private let load = CallLoad()
    private lazy var standardInterfaces = StandardInterfaces(self)

    init() {}

    /// Offers an object at a path, in place of one that is there.
    public func export(_ object: ExportedObject, at path: ObjectPath) {
        objects[path] = object
    }

    /// Offers the children of a path; objects exported one by one come first.
    public func export(_ subtree: any ObjectSubtree, below path: ObjectPath) {
        subtrees[path] = subtree
    }

    /// Takes back the object at a path, and the subtree below it.
    public func remove(at path: ObjectPath) {
        objects[path] = nil
        subtrees[path] = nil
    }

    /// Takes back all objects and the gate: what they hold can go, also where it holds the connection.
    public func removeAll() {
        objects = [:]
        subtrees = [:]
        gate = nil
    }

    /// The object at a path; nil if there is none.
    public func object(at path: ObjectPath) -> ExportedObject? {
        if let object = objects[path] {
            return object
        }
        guard path != .root, let slash = path.text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let parent = slash == path.text.startIndex ? .root : ObjectPath(unchecked: String(path.text[..<slash]))
        return subtrees[parent]?.object(named: String(path.text[path.text.utf8.index(after: slash)...]))
    }

    /// The last elements of the paths right below a path that lead to an object, sorted.
    func childNames(of path: ObjectPath) -> [String] {
        // A path from outside can have millions of elements: they are counted, not taken apart.
        let depth = path == .root ? 0 : path.text.utf8.count { $0 == UInt8(ascii: "/") }
        let below = [objects.keys.map { $0 }, subtrees.filter { !$0.value.childNames.isEmpty }.map(\.key)].joined()
            .filter { $0.isDescendant(of: path) }
            .map { String($0.elements[depth]) }
        return Set(below).union(subtrees[path]?.childNames ?? []).sorted()
    }

    /// One of the interfaces that objects have by themselves, if the object has it.
    func standardInterface(_ name: InterfaceName, for object: ExportedObject) -> (any InterfaceImplementation)? {
        standardInterfaces.interface(name, for: object)
    }

    /// The objects below a path with their paths, sorted by path.
    func objects(below path: ObjectPath) -> [(path: ObjectPath, object: ExportedObject)] {
        var found = objects.filter { $0.key.isDescendant(of: path) }
        for (root, subtree) in subtrees where root == path || root.isDescendant(of: path) {
            for name in subtree.childNames {
                do throws(DBusError) {
                    let child = try root.appending(name)
                    if found[child] == nil {
                        found[child] = subtree.object(named: name)
                    }
                } catch {
                    // What is no path element cannot be called, and is not listed.
                }
            }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

// MARK: - Calls

extension ObjectServer {
    /// Takes in a call and sees to it that it is answered.
    func handle(_ message: Message) {
        guard let connection, let path = message.path, let member = message.member else { return }
        let share = load.take(in: message)
        if let share {
            message.closing?.begin(share)
        }
        let call = MethodCall(message, on: connection, share: share)
        guard share != nil else {
            return call.fail(DBusError(.limitsExceeded, "too many calls wait for an answer; try again later"))
        }
        do throws(DBusError) {
            let interface = try interface(for: message, at: path, member: member)
            guard let index = interface.description.index(ofMethod: member) else {
                throw DBusError(.unknownMethod, "\(interface.description.name) has no method \(member)")
            }
            let method = interface.description.methods[index]
            guard message.hasSignature(method.arguments.text) else {
                throw DBusError(
                    .invalidArgs, "\(member) takes (\(method.arguments)), not (\(message.signature))")
            }
            guard let gate, !standardInterfaces.isOpen(interface) else {
                return interface.invoke(index, answering: call)
            }
            gate(call, interface.description.name) { interface.invoke(index, answering: call) }
        } catch {
            call.fail(error)
        }
    }

    /// Has `handler` called on the loop's thread once every call that has come is answered.
    public func whenAllAnswered(_ handler: @escaping @Sendable () -> Void) {
        guard let loop = connection?.loop else { return handler() }
        // Answers from other threads are enqueued before this.
        unanswered.whenNone { loop.enqueue(handler) }
    }

    /// Finds the interface that a call means: the one that it names, else the only one with a fitting method.
    private func interface(
        for message: Message, at path: ObjectPath, member: MemberName
    ) throws(DBusError) -> any InterfaceImplementation {
        let object = object(at: path)
        if let name = message.interface {
            if let standard = standardInterfaces.interface(name, for: object) {
                return standard
            }
            guard let object else { throw DBusError(.unknownObject, "there is no object at \(path)") }
            return try object.interface(name)
        }
        let all = (object?.interfaces ?? []) + standardInterfaces.all(for: object)
        let named = all.filter { $0.description.index(ofMethod: member) != nil }
        let fitting = named.filter { interface in
            guard let index = interface.description.index(ofMethod: member) else { return false }
            return message.hasSignature(interface.description.methods[index].arguments.text)
        }
        if fitting.count == 1 {
            return fitting[0]
        }
        guard !named.isEmpty else {
            throw DBusError(.unknownMethod, "the object at \(path) has no method \(member)")
        }
        guard !fitting.isEmpty else {
            let candidates = named.map { Self.signature(of: member, in: $0) }.joined(separator: ", ")
            throw DBusError(.unknownMethod, "no method \(member) takes (\(message.signature)); there is: \(candidates)")
        }
        let candidates = fitting.map(\.description.name.text).joined(separator: ", ")
        throw DBusError(
            .unknownMethod, "several methods \(member) take (\(message.signature)); name an interface: \(candidates)")
    }

    /// A method with the arguments that it takes, for messages.
    private static func signature(of member: MemberName, in interface: any InterfaceImplementation) -> String {
        let arguments = interface.description.index(ofMethod: member).map {
            interface.description.methods[$0].arguments.text
        }
        return "\(interface.description.name).\(member) (\(arguments ?? ""))"
    }

    /// The introspection data of a path.
    ///
    /// - Throws: ``DBusError`` with code `unknownObject` if nothing is there or below.
    func introspection(of path: ObjectPath) throws(DBusError) -> String {
        let object = object(at: path)
        let children = childNames(of: path)
        guard object != nil || !children.isEmpty else {
            throw DBusError(.unknownObject, "there is no object at \(path)")
        }
        var xml = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        if let object {
            for interface in object.interfaces + standardInterfaces.all(for: object) {
                xml += "\(interface.description.xml)\n"
            }
        }
        for child in children {
            xml += " <node name=\"\(child)\"/>\n"
        }
        return xml + "</node>\n"
    }
}

// MARK: - Signals

extension ObjectServer {
    /// Makes known that properties have changed, as their annotations say: with the value, or by name.
    public func propertiesChanged<Interface: InterfaceWithProperties>(
        _ properties: [Interface.Property], of interface: Interface.Type, at path: ObjectPath
    ) {
        propertiesChanged(properties.map(\.rawValue), of: Interface.description.name, at: path)
    }

    /// The same, with the properties' places in the interface's description.
    func propertiesChanged(_ indices: [Int], of name: InterfaceName, at path: ObjectPath) {
        guard let interface = object(at: path)?.interfaces.first(where: { $0.description.name == name }) else {
            return
        }
        var changed: [Key: PropertyValue] = [:]
        var invalidated: [String] = []
        for index in indices {
            let property = interface.description.properties[index]
            switch property.changeSignal {
            case .value:
                do {
                    changed[Key(property.name.text)] = PropertyValue(try interface.property(index))
                } catch {
                    // What cannot be had now is made known by name.
                    invalidated.append(property.name.text)
                }
            case .invalidation:
                invalidated.append(property.name.text)
            case .constant, .none:
                break
            }
        }
        guard !changed.isEmpty || !invalidated.isEmpty else { return }
        signal("org.freedesktop.DBus.Properties", "PropertiesChanged", from: path) { (writer) throws(DBusError) in
            try writer.write(name.text)
            try writer.write(changed)
            try writer.write(invalidated)
        }
    }

    /// Makes known that an object has come, at the managing object above it.
    public func objectAdded(at path: ObjectPath) {
        guard let manager = manager(of: path), let object = object(at: path) else { return }
        signal(ObjectManagerInterface.name, "InterfacesAdded", from: manager) { (writer) throws(DBusError) in
            try writer.write(path)
            try writer.write(ObjectManagerInterface.contents(of: object))
        }
    }

    /// Makes known that an object with these interfaces has gone, at the managing object above it.
    public func objectRemoved(at path: ObjectPath, interfaces: [InterfaceName]) {
        guard let manager = manager(of: path) else { return }
        signal(ObjectManagerInterface.name, "InterfacesRemoved", from: manager) { (writer) throws(DBusError) in
            try writer.write(path)
            try writer.write(interfaces.map(\.text))
        }
    }

    /// Sends a signal from an object, to one receiver if `destination` is given.
    public func emit<Contents: SignalContents>(
        _ contents: Contents, from path: ObjectPath, to destination: BusName? = nil
    ) {
        signal(Contents.interface, Contents.member, from: path, to: destination) { (writer) throws(DBusError) in
            try contents.write(to: &writer)
        }
    }

    private func signal(
        _ interface: InterfaceName, _ member: MemberName, from path: ObjectPath, to destination: BusName? = nil,
        body: (inout Writer) throws(DBusError) -> Void
    ) {
        do {
            connection?.send(try Message.signal(from: path, interface, member, to: destination, body: body))
        } catch {
            // What cannot travel in a signal is still to be had by asking.
        }
    }

    private func manager(of path: ObjectPath) -> ObjectPath? {
        objects.filter { $0.value.managesObjects && path.isDescendant(of: $0.key) }.map(\.key).max()
    }
}
