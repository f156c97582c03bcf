// SPDX-License-Identifier: MIT

import TestSupport

@testable import DBus
import TestSupport

/// Makes calls that a service must stand.
struct HostileCalls {
    private let contract: LiveContract
    private var values: HostileValues

    /// The kinds of call, the right ones most often.
    private enum Kind: CaseIterable {
        case right, fitting, wrongSignature, missingArgument, extraArgument, withoutInterface, get, set, wrongSet
        case elsewhere, unknown
    }

    init(contract: LiveContract, seed: UInt64) {
        self.contract = contract
        // The descriptor is that of nothing that could be written to.
        let descriptor = try? FileDescriptor(duplicating: 0)
        values = HostileValues(
            random: SeededGenerator(seed: seed), descriptor: descriptor ?? FileDescriptor(owning: -1))
    }

    /// The next call; nil if it cannot be built.
    mutating func next(wantsReply: Bool = true) -> Message? {
        let method = contract.methods[Int.random(in: 0..<contract.methods.count, using: &values.random)]
        let property = contract.properties[Int.random(in: 0..<contract.properties.count, using: &values.random)]
        let kinds: [Kind] = Kind.allCases + [.right, .right, .right, .right]
        switch kinds[Int.random(in: 0..<kinds.count, using: &values.random)] {
        case .right, .fitting:
            return call(method, values.values(for: method.arguments), wantsReply)
        case .wrongSignature:
            return call(method, values.values(for: values.otherSignature()), wantsReply)
        case .missingArgument:
            return call(method, values.values(for: method.arguments).dropLast(), wantsReply)
        case .extraArgument:
            return call(method, values.values(for: method.arguments) + [values.value(of: "v")], wantsReply)
        case .withoutInterface:
            return call(method, values.values(for: method.arguments), wantsReply, namesInterface: false)
        case .get:
            return properties("Get", of: property, [], wantsReply)
        case .set:
            return properties("Set", of: property, [.variant(values.value(of: property.type))], wantsReply)
        case .wrongSet:
            return properties("Set", of: property, [values.value(of: "v")], wantsReply)
        case .elsewhere:
            guard case .objectPath(let path) = values.value(of: "o") else { return nil }
            return build(path, method.interface, method.name, values.values(for: method.arguments), wantsReply)
        case .unknown:
            return build(method.path, property.interface, property.name, [], wantsReply)
        }
    }

    private func call(
        _ method: LiveContract.Method, _ arguments: [Value], _ wantsReply: Bool, namesInterface: Bool = true
    ) -> Message? {
        build(method.path, namesInterface ? method.interface : nil, method.name, arguments, wantsReply)
    }

    private func properties(
        _ member: MemberName, of property: LiveContract.Property, _ more: [Value], _ wantsReply: Bool
    ) -> Message? {
        build(
            property.path, "org.freedesktop.DBus.Properties", member,
            [.string(property.interface.text), .string(property.name.text)] + more, wantsReply)
    }

    private func build(
        _ path: ObjectPath, _ interface: InterfaceName?, _ member: MemberName, _ arguments: [Value], _ wantsReply: Bool
    ) -> Message? {
        do {
            return try Message.methodCall(
                to: TestClient.service, path, interface, member, wantsReply: wantsReply
            ) { (writer) throws(DBusError) in
                for argument in arguments {
                    try writer.bare(argument)
                }
            }
        } catch {
            return nil
        }
    }
}
