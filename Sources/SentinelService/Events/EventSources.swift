// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts

/// Finds out what a caller's events are of, and keeps a sandboxed caller to its own application.
///
/// Confined to the loop's thread.
final class EventSources {
    /// Who hands in events.
    struct Caller {
        let client: BusName
        /// The application that `""` stands for; an error says why there is none.
        let own: Result<ApplicationID, SentinelError>
        /// The application that a sandboxed caller must keep to; nil outside of a sandbox.
        let confinement: ApplicationID?
    }

    private let registry: ApplicationRegistry
    private let peers: PeerDirectory

    init(registry: ApplicationRegistry, peers: PeerDirectory) {
        self.registry = registry
        self.peers = peers
    }

    /// Finds out who calls.
    func identify(_ call: MethodCall, completion: @escaping (Result<Caller, DBusError>) -> Void) {
        guard let client = call.sender else {
            return completion(.failure(DBusError(.accessDenied, "the caller has no name on the bus")))
        }
        peers.identify(client) { [registry] result in
            completion(result.map { Self.caller(client, $0, registry) })
        }
    }

    private static func caller(_ client: BusName, _ peer: Peer, _ registry: ApplicationRegistry) -> Caller {
        if let confinement = confinement(of: peer) {
            return Caller(client: client, own: .success(confinement), confinement: confinement)
        }
        let ids = registry.applications(of: client).map(\.id)
        let own: Result<ApplicationID, SentinelError>
        switch ids.count {
        case 0:
            own = registry.application(ofProcess: peer.processID).map { .success($0.id) } ?? .failure(noApplication)
        case 1: own = .success(ids[0])
        default: own = .failure(severalApplications)
        }
        return Caller(client: client, own: own, confinement: nil)
    }

    /// The application of a sandbox; the gate lets no sandboxed caller without one in.
    private static func confinement(of peer: Peer) -> ApplicationID? {
        do throws(SentinelError) {
            return try peer.sandbox.applicationID.map { (text) throws(SentinelError) in try ApplicationID(text) }
        } catch {
            return nil
        }
    }

    private static let noApplication = SentinelError(
        .invalidArgs, "the source is empty and the caller is no instance of an application: register, or name a source")
    private static let severalApplications = SentinelError(
        .invalidArgs, "the source is empty and the caller is an instance of several applications: name one of them")

    /// The source that a caller means.
    ///
    /// - Throws: code `invalidArgs` for what is no source, `accessDenied` for that of another application.
    func source(_ text: String, of caller: Caller) throws(SentinelError) -> Name {
        let source = text.isEmpty ? Name(try caller.own.get()) : try Name(text, as: "source")
        guard let confinement = caller.confinement, source != Name(confinement) else { return source }
        throw SentinelError(.accessDenied, "a sandboxed application may only record events of its own, \(confinement)")
    }

    /// The caller, if it is an instance of a source.
    func instance(_ caller: Caller, of source: Name) -> BusName? {
        registry.applications(of: caller.client).contains { Name($0.id) == source } ? caller.client : nil
    }
}
