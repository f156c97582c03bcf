// SPDX-License-Identifier: MIT

@testable import DBus
import Testing
import TestSupport

extension ConformanceTests {
    /// What the service does, against what it announces.
    @Suite("Implemented members", .timeLimit(.minutes(5)))
    struct ImplementedMembersTests {
        /// One member on one object, and what the service answers.
        private struct Answer {
            let object: PublishedObject
            let interface: String
            let member: String
            /// nil if it succeeds.
            let error: DBusError?

            var isAbsent: Bool { error?.code == .notSupported }
        }

        @Test("each member that is not listed as implemented answers NotSupported, and no other does")
        func members() async throws {
            let documented = try IntrospectionDocument.documented()
            let session = try await ServiceOnBus.withApplication()
            let client = try Client(session)
            for object in PublishedObject.all {
                let answers = try await Self.answers(of: object, documented, client)
                for name in object.interfaces {
                    let present = answers.filter { $0.interface == name && !$0.isAbsent }.map(\.member)
                    #expect(present.sorted() == ImplementedMembers.all[name, default: []], "\(object) \(name)")
                }
                for answer in answers where answer.isAbsent {
                    #expect(
                        answer.error?.message.hasSuffix("not there yet in this version") == true,
                        "\(answer.interface).\(answer.member): \(answer.error?.message ?? "")")
                }
            }
            #expect(session.service.process.ending == nil)
        }

        @Test("a property that can be written answers to a write as it does to a read")
        func writableProperties() async throws {
            let documented = try IntrospectionDocument.documented()
            let session = try await ServiceOnBus.withApplication()
            let client = try Client(session)
            for object in PublishedObject.all {
                for name in object.interfaces.sorted() {
                    for property in try #require(documented[name]).members("property") {
                        let isImplemented = ImplementedMembers.all[name]?.contains(property.name) == true
                        let value = try NeutralValue.of(try ValueType(property.type))
                        let error = await client.error(
                            of: object.path, "org.freedesktop.DBus.Properties", "Set",
                            [.string(name), .string(property.name), .variant(value)])
                        // A value that says nothing may be a fit one, as no rules are.
                        let allowed: [ErrorName?] =
                            property.access == "read"
                            ? [.propertyReadOnly] : isImplemented ? [.invalidArgs, nil] : [.notSupported]
                        #expect(allowed.contains(error?.code), "\(object) \(name).\(property.name)")
                    }
                }
            }
        }

        @Test("a method that is called with other types says which it takes")
        func wrongTypes() async throws {
            let documented = try IntrospectionDocument.documented()
            let session = try await ServiceOnBus.withApplication()
            let client = try Client(session)
            for object in PublishedObject.all {
                for name in object.interfaces.sorted() {
                    for method in try #require(documented[name]).members("method") {
                        let error = await client.error(of: object.path, name, method.name, [.byte(1), .byte(2)])
                        #expect(error?.code == .invalidArgs, "\(name).\(method.name)")
                        #expect(
                            error?.message == "\(method.name) takes (\(method.signature("in"))), not (yy)",
                            "\(name).\(method.name)")
                    }
                }
            }
        }

        /// Calls every method of an object with neutral arguments and reads every property.
        private static func answers(
            of object: PublishedObject, _ documented: [String: InterfaceModel], _ client: Client
        ) async throws -> [Answer] {
            var answers: [Answer] = []
            for name in object.interfaces.sorted() {
                let interface = try #require(documented[name])
                for method in interface.members("method") {
                    let arguments = try method.arguments.filter { $0.direction == "in" }.map { argument in
                        // The service itself cannot be forgotten, which is no sign that forgetting is not there.
                        argument.name == "application_id"
                            ? .string("com.example.Neutral") : try NeutralValue.of(try ValueType(argument.type))
                    }
                    let error = await client.error(of: object.path, name, method.name, arguments)
                    answers.append(Answer(object: object, interface: name, member: method.name, error: error))
                }
                for property in interface.members("property") {
                    let error = await client.error(
                        of: object.path, "org.freedesktop.DBus.Properties", "Get",
                        [.string(name), .string(property.name)])
                    answers.append(Answer(object: object, interface: name, member: property.name, error: error))
                }
            }
            return answers
        }
    }
}

/// A connection of the test's own.
private final class Client: Sendable {
    private let connection: Connection
    private let loop: EventLoop

    init(_ session: ServiceOnBus) throws {
        loop = try EventLoop.startThread()
        connection = try Connection(to: try BusAddress(session.bus.address), on: loop)
    }

    deinit {
        connection.close()
        loop.stop()
    }

    /// Calls a method of the service.
    ///
    /// - Returns: the error that it answers with; nil if it succeeds.
    func error(of path: String, _ interface: String, _ member: String, _ arguments: [Value]) async -> DBusError? {
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: "org.sentinel", try ObjectPath(path), try InterfaceName(interface), try MemberName(member)
            ) { (writer) throws(DBusError) in
                for argument in arguments {
                    try writer.bare(argument)
                }
            }
            _ = try await connection.call(message, timeout: .seconds(5))
            return nil
        } catch {
            return error
        }
    }
}
