// SPDX-License-Identifier: MIT

import Testing
import TestSupport

extension LiveTests {
    /// The tests' own tools: what they say of others rests on them.
    @Suite("Test support", .timeLimit(.minutes(5)))
    struct TestSupportTests {
        @Test("a command's output, errors and status are told apart")
        func command() async throws {
            let result = try await Command.run(["sh", "-c", "echo out; echo err >&2; exit 3"])
            #expect(result.output == "out\n")
            #expect(result.errors == "err\n")
            #expect(result.status == 3)
        }

        @Test("a command gets the variables it is given")
        func environment() async throws {
            let result = try await Command.run(["sh", "-c", "echo $WORD"], environment: ["WORD": "given"])
            #expect(result.output == "given\n")
        }

        @Test("a command that does not end in time is an error")
        func timeLimit() async throws {
            await #expect(throws: TestSupportError.self) {
                try await Command.run(["sleep", "60"], timeout: .milliseconds(50))
            }
        }

        @Test("a program that is not there is an error")
        func missingProgram() async throws {
            await #expect(throws: TestSupportError.self) {
                try await Command.run(["no-such-program"])
            }
        }

        @Test("a private bus answers, and its socket goes with it")
        func privateBus() async throws {
            let bus = try PrivateBus()
            let socket = bus.directory.path(of: "bus")
            let list = try await Command.run(["busctl", "--user", "list"], environment: bus.environment)
            #expect(list.status == 0)
            #expect(list.output.contains("org.freedesktop.DBus"))
            bus.close()
            let found = try await Command.run(["test", "-e", socket])
            #expect(found.status == 1)
        }

        @Test("a program with a lifeline reads the end of its input when it is let go, not before")
        func lifeline() async throws {
            let directory = try TemporaryDirectory()
            let file = directory.path(of: "ended")
            var process: ChildProcess? = try ChildProcess(
                ["sh", "-c", "exec 3<&0; (read -r nothing <&3; touch \(file)) & echo started; wait"], hasLifeline: true)
            #expect(try process?.waitForFirstLine() == "started")
            let before = try await Command.run(["test", "-e", file])
            #expect(before.status == 1)
            process = nil
            try await waitUntil("the end of the input is seen") {
                try await Command.run(["test", "-e", file]).status == 0
            }
        }

        @Test("waiting for what never comes is an error")
        func waiting() async throws {
            await #expect(throws: TestSupportError.self) {
                try await waitUntil("nothing", within: .milliseconds(20)) { false }
            }
        }
    }
}
