// SPDX-License-Identifier: MIT

import Synchronization

/// A call that wants one reply and gets just one.
///
/// It may be answered on every thread. One that is dropped without an answer is answered with an error; a second
/// answer is ignored.
public final class MethodCall: Sendable {
    /// The call itself.
    public let message: Message
    /// When the call came in, however long it waited since.
    public let arrival = ContinuousClock.now
    private let connection: Connection
    private let share: CallLoad.Share?
    private let isAnswered = Atomic(false)

    init(_ message: Message, on connection: Connection, share: CallLoad.Share?) {
        self.message = message
        self.connection = connection
        self.share = share
        connection.objects.unanswered.add()
    }

    deinit {
        fail(DBusError(.failed, "the service gave up the call without an answer"))
    }

    /// The caller's unique name.
    public var sender: BusName? { message.sender }

    /// Answers with results; `body` writes them.
    public func answer(_ body: (inout Writer) throws(DBusError) -> Void) {
        finish {
            do throws(DBusError) {
                connection.send(try Message.reply(to: message, body: body))
            } catch {
                send(DBusError(error.code, "the answer cannot be sent: \(error.message)", underlying: error))
            }
        }
    }

    /// Answers with an error.
    public func fail(_ error: DBusError) {
        finish { send(error) }
    }

    /// Has the answer sent, if one is still wanted; none is after this.
    private func finish(_ sendAnswer: () -> Void) {
        guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
        if message.wantsReply {
            sendAnswer()
        }
        connection.objects.unanswered.remove()
    }

    private func send(_ error: DBusError) {
        do {
            connection.send(try Message.reply(to: message, error: error))
        } catch {
            // Without memory for an error message the caller is left to its deadline.
        }
    }
}
