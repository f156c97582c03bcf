// SPDX-License-Identifier: MIT

import DBus
import Glibc
import TestSupport

/// A FUSE file system with one file, which answers everybody but one process: whoever asks it something there waits
/// until it ends. It is mounted as long as it is referenced; that is root's alone.
final class HangingFileSystem: Sendable {
    /// Whether this process may mount.
    static let isPossible = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    private let directory: TemporaryDirectory
    private let server: ChildProcess

    /// - Parameter process: whom it does not answer.
    init(without process: Int32) throws {
        directory = try TemporaryDirectory()
        server = try ChildProcess(
            ["/usr/bin/python3", "-I", "-c", Self.program, directory.path, "\(process)"], hasLifeline: true)
        _ = try server.waitForFirstLine()
    }

    /// Where it is mounted.
    var path: String { directory.path }

    deinit {
        end()
        umount2(directory.path, Int32(MNT_DETACH))
    }

    /// Opens the file.
    func open() throws -> FileDescriptor {
        let descriptor = Glibc.open("\(directory.path)/file", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestSupportError("cannot open the file: error \(errno)") }
        return FileDescriptor(owning: descriptor)
    }

    /// How often the process has asked something and waits.
    func waitingCount(for operation: Operation) -> Int {
        server.output.split(separator: "\n").count { $0 == "waits \(operation.rawValue)" }
    }

    /// What can be asked, by its number in fuse(4).
    enum Operation: Int {
        /// As by all that take a path.
        case lookup = 1
        /// As by `fstat`.
        case attributes = 3
        /// As by `close`.
        case flush = 25
        /// As by `opendir`.
        case openDirectory = 27
    }

    /// Lets all who wait fail.
    func end() {
        server.send(SIGKILL)
    }

    private static let program = """
        import ctypes, os, struct, sys
        path, process = sys.argv[1:]
        device = os.open("/dev/fuse", os.O_RDWR)
        libc = ctypes.CDLL(None, use_errno=True)
        options = "fd=%d,rootmode=40000,user_id=0,group_id=0" % device
        if libc.mount(b"hanging", path.encode(), b"fuse", 0, options.encode()) != 0:
            sys.exit(os.strerror(ctypes.get_errno()))
        print("mounted", flush=True)

        def attributes(node):
            mode = 0o40755 if node == 1 else 0o100600
            return struct.pack("<6Q10I", node, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)

        while True:
            request = os.read(device, 1 << 18)
            _, operation, number, node, _, _, thread, _ = struct.unpack_from("<IIQQIIII", request)
            if operation in (2, 36, 42):  # FORGET, INTERRUPT, BATCH_FORGET
                continue
            if os.path.exists("/proc/%s/task/%d" % (process, thread)):
                print("waits", operation, flush=True)
                continue
            error, body = 0, b""
            if operation == 26:  # INIT
                body = struct.pack("<IIIIHHIIHH8I", 7, 31, 0, 0, 0, 0, 65536, 1, 0, 0, *[0] * 8)
            elif operation == 1:  # LOOKUP
                body = struct.pack("<4Q2I", 2, 0, 0, 0, 0, 0) + attributes(2)
            elif operation in (3, 4):  # GETATTR, SETATTR
                body = struct.pack("<Q2I", 0, 0, 0) + attributes(node)
            elif operation in (14, 27):  # OPEN, OPENDIR
                body = struct.pack("<Q2I", 0, 1, 0)
            elif operation not in (15, 18, 25, 29):  # READ, RELEASE, FLUSH, RELEASEDIR
                error = -38
            try:
                os.write(device, struct.pack("<IiQ", 16 + len(body), error, number) + body)
            except OSError:
                pass
        """
}
