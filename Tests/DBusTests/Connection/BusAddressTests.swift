// SPDX-License-Identifier: MIT

import DBus
import Testing
import TestSupport

@Suite("Bus addresses")
struct BusAddressTests {
    @Test("an address without text or with a NUL is refused", arguments: ["", "\0", "unix:path=/a\0b"])
    func invalid(_ text: String) {
        #expect(errorCode { _ = try BusAddress(text) } == .invalidArgs)
    }

    @Test("the variable of the session bus comes first")
    func variable() throws {
        let address = try BusAddress.session { $0 == "DBUS_SESSION_BUS_ADDRESS" ? "unix:path=/x" : "/run" }
        #expect(address.text == "unix:path=/x")
    }

    @Test("without it the socket in the runtime directory is taken, escaped")
    func runtimeDirectory() async throws {
        let directory = try TemporaryDirectory()
        let odd = directory.path(of: "a b,é")
        _ = try await Command.run(["mkdir", odd])
        _ = try await Command.run(["touch", "\(odd)/bus"])
        let address = try BusAddress.session { $0 == "XDG_RUNTIME_DIR" ? odd : nil }
        #expect(address.text == "unix:path=\(directory.path)/a%20b%2c%c3%a9/bus")
    }

    @Test("without either there is no session bus")
    func none() throws {
        #expect(errorCode { _ = try BusAddress.session { _ in nil } } == .noServer)
        #expect(errorCode { _ = try BusAddress.session { _ in "" } } == .noServer)
        let directory = try TemporaryDirectory()
        #expect(
            errorCode { _ = try BusAddress.session { $0 == "XDG_RUNTIME_DIR" ? directory.path : nil } } == .noServer)
    }

    @Test("the system bus has a well-known socket")
    func system() throws {
        #expect(try BusAddress.system { _ in nil }.text == "unix:path=/var/run/dbus/system_bus_socket")
        #expect(try BusAddress.system { _ in "unix:path=/y" }.text == "unix:path=/y")
    }
}
