// SPDX-License-Identifier: MIT

/// The machine's identifier for Sentinel: its machine id (`machine-id(5)`) hashed as
/// `sd_id128_get_machine_app_specific(3)` does, so that nobody can tell the id itself or another program's from it.
public enum MachineIdentifier {
    /// What the hash is made for: Sentinel.
    public static let applicationID = "5148662f-4f10-46c9-9746-f545ab9d5f96"

    private static let application: [UInt8] = [
        0x51, 0x48, 0x66, 0x2f, 0x4f, 0x10, 0x46, 0xc9, 0x97, 0x46, 0xf5, 0x45, 0xab, 0x9d, 0x5f, 0x96,
    ]
    private static let path = "/etc/machine-id"

    /// The running system's, which does not change.
    private static let system = hash(SystemRoot("/"))

    /// The identifier of the system below a root, 32 hexadecimal digits; unknown where it has no machine id.
    static func read(from root: SystemRoot) -> DeviceFact<String> {
        root.isSystem ? system : hash(root)
    }

    private static func hash(_ root: SystemRoot) -> DeviceFact<String> {
        if root.isSystem, let identifier = SystemdLibrary.machineIdentifier(for: application) {
            return .known(hexadecimal(identifier), from: "libsystemd")
        }
        guard let text = root.word(path) else { return .unknown("\(path): there is no machine id") }
        guard let machine = bytes(text), machine.contains(where: { $0 != 0 }) else {
            // An id that is not one is not repeated either.
            return .unknown("\(path): not a machine id")
        }
        return .known(hexadecimal(hash(machine)), from: path)
    }

    /// The hash of a machine id: a UUID of version 4 and variant 1 made of the first half of an HMAC.
    static func hash(_ machine: [UInt8]) -> [UInt8] {
        let code = SHA256.authenticationCode(for: application, key: machine)
        return code.prefix(16).enumerated().map { index, byte in
            switch index {
            case 6: byte & 0x0f | 0x40
            case 8: byte & 0x3f | 0x80
            default: byte
            }
        }
    }

    /// The 16 bytes that 32 hexadecimal digits stand for; nil for any other text.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.flatMap(UInt8.init(exactly:)) }
        guard digits.count == 32, text.utf8.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }
}
