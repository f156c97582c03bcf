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
            completion(result.flatMap { Self.caller(client, $0, registry) })
        }
    }

    private static func caller(
        _ client: BusName, _ peer: Peer, _ registry: ApplicationRegistry
    ) -> Result<Caller, DBusError> {
        if peer.sandbox != .none {
            return confinement(of: peer).map { Caller(client: client, own: .success($0), confinement: $0) }
        }
        let ids = registry.applications(of: client).map(\.id)
        let own: Result<ApplicationID, SentinelError>
        switch ids.count {
        case 0:
            own = registry.application(ofProcess: peer.processID).map { .success($0.id) } ?? .failure(noApplication)
        case 1: own = .success(ids[0])
        default: own = .failure(severalApplications)
        }
        return .success(Caller(client: client, own: own, confinement: nil))
    }

    /// The application of a sandbox; without a usable one the caller may record nothing.
    static func confinement(of peer: Peer) -> Result<ApplicationID, DBusError> {
        do throws(SentinelError) {
            guard let text = peer.sandbox.applicationID else { throw SentinelError(.accessDenied, "it has none") }
            return .success(try ApplicationID(text))
        } catch {
            return .failure(
                DBusError(.accessDenied, "the sandbox of the caller has no usable application id", underlying: error))
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
