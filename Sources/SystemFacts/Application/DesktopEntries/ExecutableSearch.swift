// SPDX-License-Identifier: MIT

/// Searches desktop entries for one executable.
///
/// Most files are given up at their lines `Exec=`; only what may be meant is read as a whole.
struct ExecutableSearch {
    /// How many bytes of entries are read.
    static let maximumByteCount = 64 << 20

    private let executable: FileIdentity
    private let identify: (String) -> FileIdentity?
    private var identities: [String: FileIdentity?] = [:]
    private var seen: Set<FileIdentity> = []
    private var budget = Self.maximumByteCount

    /// A search for an executable.
    /// - Parameter identify: tells the file that a command without or with a path means.
    init(for executable: FileIdentity, identify: @escaping (String) -> FileIdentity?) {
        self.executable = executable
        self.identify = identify
    }

    /// The bytes of a file that may have the executable as its command; nil for others, for what cannot be read, and for a
    /// file that came under another name.
    mutating func candidate(at path: String) -> [UInt8]? {
        guard budget > 0, let file = FileIdentity(of: path), seen.insert(file).inserted else { return nil }
        let bytes: [UInt8]
        do throws(FactError) {
            bytes = try SmallFile.read(path, limit: KeyFile.maximumByteCount)
        } catch {
            // That it cannot be read is no fault of the executable that is looked for.
            return nil
        }
        budget -= bytes.count
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            if let program = Self.program(in: line), isWanted(program) {
                return bytes
            }
        }
        return nil
    }

    /// Whether a command is the executable.
    mutating func isWanted(_ program: String) -> Bool {
        if let known = identities[program] {
            return known == executable
        }
        let identity = identify(program)
        identities[program] = .some(identity)
        return identity == executable
    }

    /// The program of a line `Exec=`, of whatever group.
    private static func program(in line: ArraySlice<UInt8>) -> String? {
        let content = line.drop { $0.isASCIIWhitespace }
        guard content.first == UInt8(ascii: "E"), content.starts(with: "Exec".utf8),
            case .value("Exec", nil, let text)? = value(in: line)
        else { return nil }
        let command = KeyFileValue.text(text)
        guard command.utf8.count <= DesktopEntry.maximumCommandByteCount else { return nil }
        return ExecLine.arguments(of: command).flatMap(ExecLine.program)
    }

    private static func value(in line: ArraySlice<UInt8>) -> KeyFileLine? {
        do throws(KeyFileProblem.Reason) {
            return try KeyFileLine(line)
        } catch {
            return nil
        }
    }
}
