// SPDX-License-Identifier: MIT

import DBus
import Glibc
import SentinelModels

/// Tells who a caller is, for the history: the id of the application that it has registered as, else the name of its
/// program, else its name on the bus.
///
/// Confined to the loop's thread.
final class CallerNames: @unchecked Sendable {
    /// So many programs are remembered.
    private static let capacity = 256

    private let registry: ApplicationRegistry
    private let peers: PeerDirectory
    private var programs: [BusName: String] = [:]

    init(registry: ApplicationRegistry, peers: PeerDirectory) {
        self.registry = registry
        self.peers = peers
    }

    /// Who has made a call.
    func name(of call: MethodCall) -> String {
        guard let sender = call.sender else { return "" }
        if let application = registry.application(of: sender) {
            return application.id.text
        }
        if let program = programs[sender] { return program }
        let program = peers.known(sender).flatMap { Self.program($0.processID) } ?? sender.text
        if programs.count >= Self.capacity {
            programs = [:]
        }
        programs[sender] = program
        return program
    }

    /// The name of a process's program, at most 15 bytes (`proc(5)`, `comm`); nil if it has ended.
    private static func program(_ processID: UInt32) -> String? {
        guard processID > 0 else { return nil }
        let descriptor = open("/proc/\(processID)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
