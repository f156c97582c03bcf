// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels

/// The service's tool `crashes`: the crashes on this machine that the journal tells of.
///
/// Confined to the loop's thread.
final class CrashesTool: ServiceTool, @unchecked Sendable {
    let entry = ToolEntry(
        id: "crashes", name: "Crashes", kind: "crashes",
        attributes: ["description": .string("Programs that have crashed, as systemd-coredump has recorded it.")])

    private let pool: ReadingPool
    /// Who waits for the reading that is under way.
    private var waiting: [@Sendable (Result<[Section], SentinelError>) -> Void] = []

    init(loop: EventLoop) {
        pool = ReadingPool("org.sentinel.crashes", places: 1, loop: loop)
    }

    func content(completion: @escaping @Sendable (Result<[Section], SentinelError>) -> Void) {
        waiting.append(completion)
        guard waiting.count == 1 else { return }
        pool.read {
            CrashRecord.newest()
        } _: { [weak self] records in
            guard let self else { return }
            let items: [Item] =
                switch records {
                case .success(let records): records.map(\.item)
                case .failure(let error): [.absent("crashes", "Crashes", because: error.message)]
                }
            let served = waiting
            waiting = []
            for completion in served {
                completion(.success([Section("crashes", "Crashes", items)]))
            }
        }
    }

    func stop() {
        waiting = []
        pool.stop()
    }
}

/// A crash that systemd-coredump(8) has recorded.
struct CrashRecord: Sendable {
    /// So many are shown.
    static let limit = 100
    /// What systemd-coredump marks its records with.
    private static let messageID = "fc2e22bc6ee647b6b90729ab34a250b1"

    let executable: String
    let processID: String
    let signal: String
    let time: Timestamp?

    /// The newest records that this user may read, the newest first. Waits for `journalctl`.
    static func newest() -> Result<[CrashRecord], SentinelError> {
        let fields = "COREDUMP_EXE,COREDUMP_PID,COREDUMP_SIGNAL_NAME,COREDUMP_TIMESTAMP"
        let arguments = [
            "--quiet", "--no-pager", "--reverse", "--lines=\(limit)", "--output=json", "--output-fields=\(fields)",
            "MESSAGE_ID=\(messageID)",
        ]
        do throws(SentinelError) {
            let outcome = try HelperProgram("journalctl").run(arguments, limit: 1 << 20, timeout: 5)
            guard outcome.status == 0 else {
                throw SentinelError(.unavailable, "journalctl failed: what it knows may not be read here")
            }
            var seen: Set<String> = []
            let records = outcome.output.split(separator: 0x0A).compactMap { CrashRecord(line: $0) }
            return .success(records.filter { seen.insert($0.id).inserted })
        } catch {
            return .failure(error)
        }
    }

    /// What a line of the journal in JSON tells; nil for no record.
    init?(line: some Sequence<UInt8>) {
        do throws(JSONSyntaxError) {
            guard case .object(let members) = try JSONValue(parsing: line) else { return nil }
            let texts = Dictionary(
                members.compactMap { member in
                    if case .string(let text) = member.value { (DataKey(member.key), text) } else { nil }
                }
            ) { first, _ in first }
            guard let processID = texts["COREDUMP_PID"] else { return nil }
            self.processID = processID
            executable = texts["COREDUMP_EXE"] ?? ""
            signal = texts["COREDUMP_SIGNAL_NAME"] ?? ""
            time = texts["COREDUMP_TIMESTAMP"].flatMap { Int64($0) }.map { Timestamp(clamping: $0) }
        } catch {
            // What journalctl says beside its records is none.
            return nil
        }
    }

    fileprivate var id: String { "crash-\(time?.microseconds ?? 0)-\(ShownText.make(processID, limit: 20))" }

    fileprivate var item: Item {
        let name = executable.split(separator: "/").last.map(String.init) ?? "Process \(processID)"
        let when = time.map { ", \($0)" } ?? ""
        return .fact(
            id, ShownText.make(name, limit: 255), "\(signal.isEmpty ? "a signal" : signal)\(when)",
            description: "\(executable), process \(processID)")
    }
}
