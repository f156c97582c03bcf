// SPDX-License-Identifier: MIT

import DBus
import TestSupport

/// A panel that does what a test tells it.
final class MockPanel: Sendable {
    /// What it was asked to do.
    struct Call: Equatable, Sendable {
        let action: String
        let parameters: [Value]
        let platformData: [Key: Value]
        let wantsReply: Bool

        init(_ action: String, _ screen: String = "", _ platformData: [Key: Value] = [:], wantsReply: Bool = true) {
            self.action = action
            parameters = [.string(PresentationStage.id), .string(screen)]
            self.platformData = platformData
            self.wantsReply = wantsReply
        }

        init(_ message: Message) throws {
            var body = message.body
            action = try body.read()
            parameters = try body.read()
            platformData = try body.read()
            wantsReply = message.wantsReply
        }
    }

    /// How it answers.
    enum Answer: Sendable {
        case success
        case failure
        case never
    }

    /// What it was asked to do, in order.
    let calls = Recorder<Call>()
    private let service: MockService
    private let answers: Recorder<Answer>
    private let held = Recorder<MethodCall>()

    /// Takes the name.
    init(on bus: PrivateBus, _ answer: Answer = .success) async throws {
        service = try MockService("org.sentinel.Panel", on: bus)
        answers = Recorder()
        answers.append(answer)
        let activate = MockInterface.Method("ActivateAction", arguments: "sava{sv}") { [calls, answers, held] call in
            let answer = answers.elements.last
            do {
                let told = try Call(call.message)
                // Before it is told: who waits for that may answer it at once.
                if answer == .never { held.append(call) }
                calls.append(told)
            } catch {
                return call.fail(DBusError(.invalidArgs, "\(error)"))
            }
            switch answer {
            case .success: call.answer { _ in }
            case .never: break
            case .failure, nil: call.fail(DBusError(.failed, "secret words of the panel"))
            }
        }
        service.export("/org/sentinel/Panel", "org.freedesktop.Application", [:], methods: [activate])
        try await service.appear()
    }

    deinit {
        // A call holds its connection, and the connection's objects hold who holds the call.
        _ = held.takeAll()
    }

    /// Answers otherwise from now on.
    func answer(_ answer: Answer) {
        answers.append(answer)
    }

    /// Answers what it has not answered.
    func answerHeld() {
        for call in held.takeAll() {
            call.answer { _ in }
        }
    }

    /// Reports that a person has closed what it shows.
    func reportClosing() async throws {
        _ = try await service.call(
            try Message.methodCall(
                to: TestClient.service, "/org/sentinel", "org.sentinel.Sentinel1", "Dismiss"
            ) { (writer) throws(DBusError) in
                try writer.write(PresentationStage.id)
                try writer.write([Key: Value]())
            })
    }

    /// Gives the name back.
    func disappear() async {
        await service.disappear()
    }
}
