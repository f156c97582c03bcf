// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// Calls what applications have implemented of `org.sentinel.Provider1`.
///
/// The newest instance of an application is called, in the order of the requests, whether earlier ones are answered or
/// not. Nothing that a provider does or fails to do reaches further than the requests that it is called for: one that
/// does not answer in time is given up, and what it answers is checked before it is handed on.
///
/// Confined to the loop's thread.
final class ProviderLink: @unchecked Sendable {
    typealias Completion<Answer> = (Result<Answer, SentinelError>) -> Void

    private let connection: Connection
    private let limits: ProviderLimits
    /// The number of calls that each provider has not answered.
    private var outstanding: [BusName: Int] = [:]

    init(_ connection: Connection, limits: ProviderLimits) {
        self.connection = connection
        self.limits = limits
    }

    /// Reads a live preference.
    func readPreference(_ key: Name, of application: KnownApplication, completion: @escaping Completion<Value>) {
        ask(application, "ReadPreference", key.text, within: limits.deadline, completion: completion)
    }

    /// Writes a live preference; the completion gets the value in force afterwards.
    func writePreference(
        _ key: Name, to value: Value, of application: KnownApplication, completion: @escaping Completion<Value>
    ) {
        ask(application, "WritePreference", key.text, value, within: limits.deadline, completion: completion)
    }

    /// Asks for the content of a tool.
    func content(of tool: Name, of application: KnownApplication, completion: @escaping Completion<[Section]>) {
        ask(application, "Content", tool.text, within: limits.deadline, completion: completion)
    }

    /// Changes a live item; the completion gets the value in force afterwards.
    func setItem(
        _ item: Name, of tool: Name, to value: Value, of application: KnownApplication,
        completion: @escaping Completion<Value>
    ) {
        ask(application, "SetItem", tool.text, item.text, value, within: limits.deadline, completion: completion)
    }

    /// Performs an action; the completion gets its results as they came.
    func invoke(
        _ action: Name, of tool: Name, with parameters: [Key: Value], of application: KnownApplication,
        completion: @escaping Completion<[Key: Value]>
    ) {
        ask(
            application, "Invoke", tool.text, action.text, parameters, within: limits.actionDeadline,
            completion: completion)
    }

    private func ask<each Argument: WireCodable, Answer: WireCodable>(
        _ application: KnownApplication, _ member: MemberName, _ arguments: repeat each Argument,
        within deadline: Duration, completion: @escaping Completion<Answer>
    ) {
        guard let instance = application.instances.last, let path = instance.registration.provider else {
            return completion(
                .failure(
                    SentinelError(.unavailable, "\(application.id) has no provider at the moment to ask for this")))
        }
        let provider = instance.client
        guard outstanding[provider, default: 0] < limits.outstandingCalls else {
            return completion(
                .failure(
                    SentinelError(
                        .limitsExceeded,
                        "\(limits.outstandingCalls) calls wait for the provider of \(application.id) already")))
        }
        let message: Message
        do throws(DBusError) {
            message = try Message.methodCall(
                to: provider, path, Provider1.name, member, startsService: false
            ) { (writer) throws(DBusError) in
                repeat try writer.write(each arguments)
            }
        } catch {
            return completion(.failure(SentinelError(SentinelError.Code(busName: error.code.text), error.message)))
        }
        outstanding[provider, default: 0] += 1
        let largest = member == "Content" ? limits.contentBytes : limits.answerBytes
        let mayAct = member != "Content" && member != "ReadPreference"
        let request = ProviderRequest(connection, to: provider, within: deadline, mayAct: mayAct) {
            [weak self] result in
            self?.ended(provider)
            completion(result.flatMap { Self.answer(in: $0, to: member, largest: largest) })
        }
        request.send(message)
    }

    private func ended(_ provider: BusName) {
        let left = (outstanding[provider] ?? 1) - 1
        outstanding[provider] = left > 0 ? left : nil
    }

    private static func answer<Answer: WireCodable>(
        in reply: Message, to member: MemberName, largest: Int
    ) -> Result<Answer, SentinelError> {
        // Before anything of it is looked at: the loop serves nobody else meanwhile.
        guard reply.byteCount <= largest else {
            return .failure(
                SentinelError(
                    .unavailable,
                    "the provider's answer to \(member) cannot be taken: it has \(reply.byteCount) bytes, and at most "
                        + "\(largest) are allowed"))
        }
        guard reply.signature.text == Answer.wireType else {
            return .failure(
                SentinelError(
                    .unavailable,
                    "the provider's answer to \(member) cannot be taken: it is to be (\(Answer.wireType)), not "
                        + "(\(reply.signature))"))
        }
        do throws(DBusError) {
            var body = reply.body
            return .success(try body.read())
        } catch {
            return .failure(
                SentinelError(
                    .unavailable, "the provider's answer to \(member) cannot be taken: \(error.message)",
                    underlying: error))
        }
    }
}
