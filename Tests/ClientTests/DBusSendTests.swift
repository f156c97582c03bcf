// SPDX-License-Identifier: MIT

import Testing
import TestSupport

extension ClientTests {
    /// `dbus-send` of libdbus.
    @Suite("dbus-send", .timeLimit(.minutes(5)))
    struct DBusSendTests {
        private let send = "dbus-send --session --dest=org.sentinel"
        private let properties = "/org/sentinel org.freedesktop.DBus.Properties"

        @Test("GetAll prints every property of an interface")
        func getAll() async throws {
            let session = try await ServiceOnBus.started()
            let reply = try await session.output(
                of: "\(send) --print-reply \(properties).GetAll string:org.sentinel.Sentinel1")
            let version = try await ServiceOnBus.version()
            let (head, body) = try Self.parts(reply)
            #expect(head.hasPrefix("method return time="))
            #expect(
                body == """
                       array [
                          dict entry(
                             string "Features"
                             variant             array [
                                   \(features.map { "string \"\($0)\"" }.joined(separator: "\n               "))
                                ]
                          )
                          dict entry(
                             string "Health"
                             variant             string "ok"
                          )
                          dict entry(
                             string "HealthDetails"
                             variant             array [
                                ]
                          )
                          dict entry(
                             string "PresentedApplications"
                             variant             array [
                                ]
                          )
                          dict entry(
                             string "Version"
                             variant             string "\(version)"
                          )
                       ]
                    """)
        }

        @Test("a reply prints in its types, whole and literally")
        func reply() async throws {
            let session = try await ServiceOnBus.started()
            let get = "\(properties).Get string:org.sentinel.Application1 string:Running"
            let whole = try await session.output(of: "\(send) --print-reply \(get)")
            let body = try Self.parts(whole).body
            #expect(body == "   variant       boolean true")
            #expect(
                try await session.output(of: "\(send) --print-reply=literal \(get)") == "   variant       boolean true")
        }

        private let setLogLevel =
            "/org/freedesktop/LogControl1 org.freedesktop.DBus.Properties.Set "
            + "string:org.freedesktop.LogControl1 string:LogLevel variant:string:debug"

        @Test("what is sent without --print-reply is a signal, which is no call")
        func signal() async throws {
            let session = try await ServiceOnBus.started()
            #expect(try await session.output(of: "\(send) \(setLogLevel)") == "")
            #expect(try await session.output(of: "busctl --user get-property \(logControl) LogLevel") == "s \"info\"")
        }

        @Test("a call whose caller leaves at once does no harm, done or not")
        func noReply() async throws {
            let session = try await ServiceOnBus.started()
            // The caller leaves the bus right after it has sent. Who it was can then mostly not be found out, and an
            // unknown caller might be one in a sandbox.
            for arguments in [setLogLevel, "\(properties).Get string:a.b string:C"] {
                #expect(try await session.output(of: "\(send) --type=method_call \(arguments)") == "")
            }
            let level = try await session.output(of: "busctl --user get-property \(logControl) LogLevel")
            #expect(["s \"info\"", "s \"debug\""].contains(level))
            #expect(session.service.process.ending == nil)
        }

        @Test("a refusal names the error, the signature that is wanted, and that which came")
        func refusals() async throws {
            let session = try await ServiceOnBus.started()
            #expect(
                try await session.complaint(
                    of: "\(send) --print-reply /org/sentinel org.sentinel.Sentinel1.Register string:com.example.Demo")
                    == "Error org.freedesktop.DBus.Error.InvalidArgs: Register takes (sa{sv}), not (s)")
            #expect(
                try await session.complaint(
                    of: "\(send) --print-reply /org/sentinel org.sentinel.Sentinel1.RemoveTrigger string:none")
                    == "Error org.sentinel.Error.UnknownTrigger: there is no trigger none")
            #expect(
                try await session.complaint(
                    of: "\(send) --print-reply /nowhere org.sentinel.Sentinel1.ListApplications")
                    == "Error org.freedesktop.DBus.Error.UnknownObject: there is no object at /nowhere")
            #expect(
                try await session.complaint(of: "\(send) --print-reply /org/sentinel org.sentinel.Sentinel1.Nothing")
                    == "Error org.freedesktop.DBus.Error.UnknownMethod: org.sentinel.Sentinel1 has no method Nothing")
        }

        /// The first line of a reply, which has a time in it, and the rest.
        private static func parts(_ reply: String) throws -> (head: Substring, body: Substring) {
            guard let end = reply.firstIndex(of: "\n") else { throw TestSupportError("no reply: \(reply)") }
            return (reply[..<end], reply[reply.index(after: end)...])
        }
    }
}
