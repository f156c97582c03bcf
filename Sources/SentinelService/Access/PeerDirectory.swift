// SPDX-License-Identifier: MIT

import DBus
import Dispatch
import SystemFacts

/// Tells which process is behind a unique name.
///
/// Confined to the loop's thread. A bus never gives a unique name twice, so that what is known of one stays true.
final class PeerDirectory: @unchecked Sendable {
    typealias Completion = (Result<Peer, DBusError>) -> Void

    /// So many peers are remembered.
    private static let capacity = 1024

    private let connection: Connection
    /// Looks at `/proc`, which can take its time.
    private let queue = DispatchQueue(label: "org.sentinel.peers", qos: .userInitiated)
    private var known: [BusName: Peer] = [:]
    private var order: [BusName] = []
    private var waiting: [BusName: [Completion]] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// A peer that has been identified already.
    func known(_ name: BusName) -> Peer? { known[name] }

    /// Tells who a peer is: at once if it is known, else when the bus has answered; several requests for one peer are
    /// answered in their order.
    func identify(_ name: BusName, completion: @escaping Completion) {
        if let peer = known[name] {
            return completion(.success(peer))
        }
        waiting[name, default: []].append(completion)
        guard waiting[name]?.count == 1 else { return }
        connection.credentials(of: name) { [weak self, queue, loop = connection.loop] result in
            queue.async { [weak self] in
                let peer = result.flatMap { Self.peer($0) }
                loop.enqueue { [weak self] in self?.learn(name, peer) }
            }
        }
    }

    private func learn(_ name: BusName, _ result: Result<Peer, DBusError>) {
        if case .success(let peer) = result {
            remember(name, peer)
        }
        for completion in waiting.removeValue(forKey: name) ?? [] {
            completion(result)
        }
    }

    private func remember(_ name: BusName, _ peer: Peer) {
        if order.count >= Self.capacity {
            let oldest = order.prefix(Self.capacity / 4)
            for name in oldest {
                known[name] = nil
            }
            order.removeFirst(oldest.count)
        }
        known[name] = peer
        order.append(name)
    }

    private static func peer(_ credentials: [Key: Value]) -> Result<Peer, DBusError> {
        do {
            guard let userID: UInt32 = try credentials.option("UnixUserID") else {
                throw DBusError(.accessDenied, "the bus does not know the caller's user")
            }
            guard let processID: UInt32 = try credentials.option("ProcessID"), let number = Int32(exactly: processID)
            else {
                return .success(Peer(processID: 0, userID: userID, sandbox: .unidentified))
            }
            let label: [UInt8]? = try credentials.option("LinuxSecurityLabel")
            let sandbox = try SandboxProbe.sandbox(
                of: number, securityLabel: label.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
            return .success(Peer(processID: processID, userID: userID, sandbox: sandbox))
        } catch let error as DBusError {
            return .failure(error)
        } catch SandboxProbe.Failure.outOfDescriptors {
            return .failure(
                DBusError(.limitsExceeded, "who calls cannot be found out: the service has no file descriptor left"))
        } catch {
            return .failure(DBusError(.unixProcessIdUnknown, "the caller's process has ended", underlying: error))
        }
    }
}
