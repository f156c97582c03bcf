// SPDX-License-Identifier: MIT

import DBus

/// Finds out who calls, once for each peer, and lets calls in by the policy; a peer's calls stay in their order.
///
/// Confined to the loop's thread.
final class AccessGate: @unchecked Sendable {
    private let peers: PeerDirectory
    private let policy: AccessPolicy

    init(peers: PeerDirectory, policy: AccessPolicy) {
        self.peers = peers
        self.policy = policy
    }

    /// Lets a call in or answers it with an error.
    func admit(_ call: MethodCall, interface: InterfaceName, _ proceed: @escaping () -> Void) {
        guard let sender = call.sender else {
            return call.fail(DBusError(.accessDenied, "the caller has no name on the bus"))
        }
        peers.identify(sender) { [policy] result in
            switch result {
            case .success(let peer) where policy.allows(peer, call.message, interface: interface):
                proceed()
            case .success:
                call.fail(
                    DBusError(
                        .accessDenied, "a sandboxed application may only act for itself, with its own application id"))
            case .failure(let error):
                call.fail(error)
            }
        }
    }
}
