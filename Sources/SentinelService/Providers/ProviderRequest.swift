// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// One call to a provider, from its sending to the one thing that comes of it: an answer, an error of the provider, the
/// end of the time, or the provider's end.
///
/// Confined to the loop's thread.
final class ProviderRequest: @unchecked Sendable {
    /// The longest text of a provider's error that is passed on, in bytes.
    static let longestErrorText = 1024

    private let connection: Connection
    private let provider: BusName
    private let deadline: Duration
    /// Whether what is called may change something.
    private let mayAct: Bool
    private var completion: ((Result<Message, SentinelError>) -> Void)?
    private var pending: PendingCall?
    private var timer: LoopTimer?

    init(
        _ connection: Connection, to provider: BusName, within deadline: Duration, mayAct: Bool,
        completion: @escaping (Result<Message, SentinelError>) -> Void
    ) {
        self.connection = connection
        self.provider = provider
        self.deadline = deadline
        self.mayAct = mayAct
        self.completion = completion
    }

    /// Sends the call; once.
    func send(_ message: Message) {
        // It has a timer of its own: a provider's error of the name that a timeout has here is not taken for one.
        timer = connection.loop.schedule(after: deadline) { [weak self] in self?.giveUp() }
        pending = connection.call(message, timeout: deadline * 2) { [self] result in
            switch result {
            case .success(let reply): finish(.success(reply))
            case .failure(let error): failed(error)
            }
        }
    }

    private func giveUp() {
        let note = mayAct ? "; an action may have run" : ""
        finish(
            .failure(SentinelError(.providerTimeout, "the provider has not answered within \(deadline)\(note)")))
        pending?.cancel()
    }

    private func failed(_ error: DBusError) {
        guard completion != nil else { return }
        switch error.code {
        case .noReply, .serviceUnknown, .nameHasNoOwner, .disconnected:
            // The bus says these of a peer that has left, but a provider can answer with them as well.
            connection.owner(of: provider) { [self] owner in
                if case .success(.some) = owner {
                    finish(.failure(Self.passedOn(error)))
                } else {
                    finish(.failure(SentinelError(.providerGone, "the provider has left the bus before it answered")))
                }
            }
        default:
            finish(.failure(Self.passedOn(error)))
        }
    }

    private func finish(_ result: Result<Message, SentinelError>) {
        guard let completion else { return }
        self.completion = nil
        timer?.cancel()
        completion(result)
    }

    /// An error of a provider with its own name, its text fit to be shown.
    private static func passedOn(_ error: DBusError) -> SentinelError {
        SentinelError(
            SentinelError.Code(busName: error.code.text),
            ShownText.make(error.message, limit: longestErrorText), underlying: error)
    }
}
