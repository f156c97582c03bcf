// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

extension ClientTests {
    /// The two libraries of Python that Debian has.
    @Suite("Python", .timeLimit(.minutes(5)))
    struct PythonTests {
        /// The path of a program beside this file.
        private static func client(_ name: String) -> String {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Clients/\(name).py")
                .path
        }

        private static func start(_ name: String, on session: ServiceOnBus) throws -> ChildProcess {
            try session.start("/usr/bin/python3", client(name))
        }

        private static let interfaces = "['" + applicationInterfaces.joined(separator: "', '") + "']"

        @Test(
            "an application is seen to come, go, return with the service, and be forgotten",
            arguments: [
                ("fast", "com.example.Fast", "Fast", "{'Running': False} []"),
                ("dbus_python", "com.example.Python", "Python", "['Instances', 'Running'] []"),
            ])
        func life(library: String, id: String, name: String, ending: String) async throws {
            let session = try await ServiceOnBus.started()
            let observer = try Self.start("\(library)_observer", on: session)
            try await observer.waitForOutput("ready\n")
            let path = "/org/sentinel/apps/\(id.replacingOccurrences(of: ".", with: "_2e"))"
            let running = "busctl --user get-property org.sentinel \(path) org.sentinel.Application1 Running"

            let application = try Self.start("\(library)_application", on: session)
            try await application.waitForOutput("registered as \(path)")
            try await observer.waitForOutput("added \(path) \(name) \(Self.interfaces)\n")
            #expect(try await session.output(of: running) == "b true")

            // The application hears of the new service by itself; nobody tells it.
            try await session.restart()
            try await waitUntil("the application registers again") {
                application.output.components(separatedBy: "registered as \(path)").count == 3
            }
            #expect(try await session.output(of: running) == "b true")

            let processID = try await session.output(
                of: "busctl --user get-property org.sentinel \(path) org.sentinel.Application1 ProcessId")
            #expect(processID == "u \(application.identifier)")
            let before = observer.output
            application.send(SIGKILL)
            try application.waitForEnd()
            try await waitUntil("the end of the application is seen") {
                observer.output.dropFirst(before.count).contains(
                    "changed \(path) org.sentinel.Application1 \(ending)\n")
            }
            #expect(try await session.output(of: running) == "b false")

            _ = try await session.output(of: "busctl --user call \(door) Forget 'sa{sv}' \(id) 0")
            try await observer.waitForOutput("removed \(path) \(Self.interfaces)\n")
        }

        @Test(
            "the object manager tells what is there already",
            arguments: [
                ("fast", "managed /org/sentinel/apps/com_2eexample_2eDemo com.example.Demo Demo False\n"),
                ("dbus_python", "managed /org/sentinel/apps/com_2eexample_2eDemo com.example.Demo False\n"),
            ])
        func objectManager(library: String, line: String) async throws {
            let session = try await ServiceOnBus.started()
            _ = try await session.output(
                of: "busctl --user call \(door) Register 'sa{sv}' com.example.Demo 1 name s Demo")
            let observer = try Self.start("\(library)_observer", on: session)
            try await observer.waitForOutput("ready\n")
            #expect(observer.output.hasPrefix(line))
        }

        @Test("dbus-python calls with and without introspection and interfaces")
        func calls() async throws {
            let session = try await ServiceOnBus.started()
            let version = try await ServiceOnBus.version()
            let printed = try await session.output(of: "/usr/bin/python3 \(Self.client("dbus_python_calls"))")
            #expect(
                printed == """
                    registered: /org/sentinel/apps/com_2eexample_2eCalls
                    known: String=com.example.Calls ObjectPath=/org/sentinel/apps/com_2eexample_2eCalls \
                    String=com.example.Calls Boolean=1
                    known: String=org.sentinel ObjectPath=/org/sentinel String=Sentinel Boolean=1
                    version: \(version)
                    no interface for the property: ok
                    several fit: org.freedesktop.DBus.Error.UnknownMethod: several methods Content take (); name an \
                    interface: org.sentinel.Device1, org.sentinel.Application1, org.sentinel.Performance1
                    none has it: org.freedesktop.DBus.Error.UnknownMethod: the object at /org/sentinel has no method \
                    NoSuchMember
                    wrong type: org.freedesktop.DBus.Error.UnknownMethod: no method Unregister takes (ia{sv}); \
                    there is: org.sentinel.Sentinel1.Unregister (sa{sv})
                    wrong option: org.freedesktop.DBus.Error.InvalidArgs: option name: expected text (s), got a value \
                    of type i that does not fit
                    forgotten: None
                    no variant: org.freedesktop.DBus.Error.UnknownMethod: no method Set takes (sss); there is: \
                    org.freedesktop.DBus.Properties.Set (ssv)
                    without a reply: debug
                    """)
        }
    }
}
