// SPDX-License-Identifier: MIT

import Glibc

/// Tells the service manager how the service is (`sd_notify(3)`): datagrams to the socket `NOTIFY_SOCKET`.
struct ServiceManager: Sendable {
    private let socketPath: String?

    /// Takes the path of the socket; nil or empty if nobody listens.
    init(socketPath: String?) {
        self.socketPath = socketPath
    }

    /// The service answers calls.
    func tellReady(status: String) {
        send("READY=1\nSTATUS=\(status)\nMAINPID=\(getpid())")
    }

    /// The service has begun to end.
    func tellStopping() {
        send("STOPPING=1")
    }

    /// Sends a message. Failure is no harm: the manager has deadlines of its own.
    private func send(_ message: String) {
        guard let socketPath, let first = socketPath.utf8.first, "/@".utf8.contains(first) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }

        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socketPath.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        if first == UInt8(ascii: "@") {
            path[0] = 0
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
