// SPDX-License-Identifier: MIT

@testable import SystemFacts
import Testing
import TestSupport

@Suite("Machine identifier")
struct MachineIdentifierTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(
        "digests are those of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digest(message: String, digest: String) {
        #expect(hex(SHA256.digest(Array(message.utf8))) == digest)
    }

    @Test("digests of all lengths around a block are Python's")
    func lengths() async throws {
        let script = "import hashlib\nfor n in range(200): print(hashlib.sha256(bytes(range(n))).hexdigest())"
        let lines = try await Command.run(["/usr/bin/python3", "-I", "-c", script]).output.split(separator: "\n")
        #expect(lines.count == 200)
        for (count, line) in lines.enumerated() {
            #expect(hex(SHA256.digest((0..<count).map { UInt8($0) })) == line)
        }
    }

    @Test(
        "authentication codes are those of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func authenticationCode(key: [UInt8], message: [UInt8], code: String) {
        #expect(hex(SHA256.authenticationCode(for: message, key: key)) == code)
    }

    @Test("the identifier is what systemd makes of this machine's id, by libsystemd and by our own hash")
    func agreement() async throws {
        let systemd = try await Command.run([
            "systemd-id128", "machine-id", "--app-specific=\(MachineIdentifier.applicationID)",
        ])
        let own = try FixtureRoot(["/etc/machine-id": "->/etc/machine-id"]).files().facts().identifier
        let system = DeviceFiles().facts().identifier
        guard systemd.status == 0 else {
            // A machine without an id has no identifier.
            #expect(own.value == nil && system.value == nil)
            return
        }
        let expected = systemd.output.split(separator: "\n").first.map(String.init)
        #expect(own.value == expected)
        #expect(own.source == "/etc/machine-id")
        #expect(system.value == expected)
    }

    @Test("a given id has the identifier that systemd gives it")
    func known() throws {
        let root = try FixtureRoot(["/etc/machine-id": "\(FixtureRoot.machineID)\n"])
        let identifier = try #require(root.files().facts().identifier.value)
        let code = SHA256.authenticationCode(
            for: try #require(
                MachineIdentifier.bytes(String(MachineIdentifier.applicationID.filter { $0 != "-" }))),
            key: try #require(MachineIdentifier.bytes(FixtureRoot.machineID)))
        #expect(identifier.utf8.count == 32)
        #expect(identifier.prefix(12) == hex(code).prefix(12))
        #expect(identifier.dropFirst(12).first == "4")
        #expect("89ab".contains(try #require(identifier.dropFirst(16).first)))
    }

    @Test(
        "what is no machine id has no identifier, and is not repeated",
        arguments: [
            "", "uninitialized", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
            "00000000000000000000000000000000", "0123456789abcdef0123456789abcdeg",
            "01234567-89ab-cdef-0123-456789abcdef",
        ])
    func invalid(text: String) throws {
        let identifier = try FixtureRoot(["/etc/machine-id": text]).files().facts().identifier
        #expect(identifier.value == nil)
        #expect(text.isEmpty || identifier.reason?.contains(text) == false)
    }

    @Test("the machine id itself is nowhere in the facts")
    func secrecy() throws {
        let facts = try FixtureRoot(FixtureRoot.desktop).files().facts()
        #expect(facts.identifier.value != nil)
        #expect(!"\(facts)".contains(FixtureRoot.machineID))
    }
}
