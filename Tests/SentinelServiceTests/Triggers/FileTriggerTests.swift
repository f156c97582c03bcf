// SPDX-License-Identifier: MIT

import DBus
import Foundation
import SentinelInterfaces
import TestSupport
import Testing

extension LiveTests {
    @Suite("Triggers by files and pictures", .serialized, .timeLimit(.minutes(5)))
    struct FileTriggerTests {
        private static let app = "com.example.App"

        /// A service whose user's home is a tree of the test's own.
        private struct Stage {
            let fixture: FactsFixture
            let fired: Recorder<Message>
            let subscription: Subscription

            init(_ variables: [String: String] = [:]) async throws {
                let tree = try FileTree()
                var environment = [
                    "HOME": tree.path("me"), "XDG_CONFIG_HOME": tree.path("config"), "XDG_PICTURES_DIR": "",
                    "XDG_SCREENSHOTS_DIR": "",
                ]
                environment.merge(variables) { $1 }
                fixture = try await FactsFixture(environment: environment, tree: tree)
                try await fixture.client.register(FileTriggerTests.app)
                (fired, subscription) = try await fixture.client.recordTriggers()
            }

            var tree: FileTree { fixture.tree }
            var client: TestClient { fixture.client }

            /// Does something that is to fire a trigger once.
            func expectFiring(_ id: String, _ what: String, by work: () throws -> Void) async throws {
                let before = try await client.fired(id)
                try work()
                try await waitUntil("\(what) fires") { try await client.fired(id) > before }
                #expect(try await client.fired(id) == before + 1, "\(what)")
            }

            func rename(_ from: String, _ to: String) throws {
                guard Glibc.rename(tree.path(from), tree.path(to)) == 0 else { throw TestSupportError("no rename") }
            }

            func stop() throws {
                subscription.cancel()
                try fixture.stop()
            }
        }

        @Test("a file that comes, is written, replaced or touched fires, at once after the trigger is added")
        func file() async throws {
            let stage = try await Stage()
            try stage.tree.write("place/other", "x")
            let path = stage.tree.path("place/file")
            let id = try await stage.client.addTrigger(Self.app, "file", ["path": .string(path)])
            #expect(try await stage.client.obstacle(to: id) == nil)
            try await stage.expectFiring(id, "the first") { try stage.tree.write("place/file", "one") }
            try await stage.expectFiring(id, "a change") { try stage.tree.write("place/file", "three") }
            try await stage.expectFiring(id, "a replacement") { try stage.rename("place/other", "place/file") }
            try await stage.expectFiring(id, "another time") {
                try #require(utimes(path, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 2, tv_usec: 0)]) == 0)
            }
            // Who may read it, and that it goes, is no touch. What is told of it comes with what another one waits for.
            let marker = try await stage.client.addTrigger(
                "", "file", ["path": .string(stage.tree.path("place/marker"))])
            try await stage.expectFiring(marker, "the first marker") {
                try #require(chmod(path, 0o600) == 0)
                try stage.tree.write("place/marker", "1")
            }
            try await stage.expectFiring(marker, "the second marker") {
                try FileManager.default.removeItem(atPath: path)
                try stage.tree.write("place/marker", "12")
            }
            #expect(try await stage.client.fired(id) == 4)
            try await stage.expectFiring(id, "its coming again") { try stage.tree.write("place/file", "again") }
            try await stage.client.sentinel.removeTrigger(triggerID: marker)
            let fired = try stage.fired.triggers()
            #expect(fired.count { $0 == id } == 5)
            try stage.stop()
        }

        @Test("a file that takes its time to be written fires once, when it is done", .timeLimit(.minutes(5)))
        func slow() async throws {
            let stage = try await Stage()
            try stage.tree.makeDirectory("place")
            let other = try await stage.client.addTrigger(
                Self.app, "file", ["path": .string(stage.tree.path("place/other"))])
            var tries = 1
            while try await !isToldAtItsEnd("place/slow\(tries)", stage, marker: other) {
                tries += 1
                try #require(tries <= 5)
            }
            // What is never closed is done when nobody writes into it.
            try stage.tree.write("place/target", "x")
            let linked = try await stage.client.addTrigger(
                Self.app, "file", ["path": .string(stage.tree.path("place/link"))])
            try await stage.expectFiring(linked, "a link") { try stage.tree.link("place/link", to: "target") }
            try stage.stop()
        }

        /// Writes a file in parts, expecting it to fire when it is closed only.
        ///
        /// - Returns: false where that took so long that it may be taken for a file that nobody writes any more.
        private func isToldAtItsEnd(_ name: String, _ stage: Stage, marker: String) async throws -> Bool {
            let id = try await stage.client.addTrigger(Self.app, "file", ["path": .string(stage.tree.path(name))])
            let descriptor = open(stage.tree.path(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
            for round in 0..<3 {
                let start = ContinuousClock.now
                try #require(write(descriptor, "part", 4) == 4)
                // What came before this has been looked at by then.
                try await stage.expectFiring(marker, "the other, \(round)") {
                    try stage.tree.write("place/other", "\(name) \(round)")
                }
                let fired = try await stage.client.fired(id)
                guard ContinuousClock.now - start < .milliseconds(900) else {
                    close(descriptor)
                    return false
                }
                #expect(fired == 0)
            }
            try await stage.expectFiring(id, "its end") {
                try #require(write(descriptor, "end", 3) == 3)
                close(descriptor)
            }
            return true
        }

        @Test("files whose names differ in their bytes are two")
        func bytes() async throws {
            let stage = try await Stage()
            try stage.tree.makeDirectory("place")
            let paths = ["place/\u{E9}", "place/e\u{301}"]
            var ids: [String] = []
            for path in paths {
                ids.append(
                    try await stage.client.addTrigger(Self.app, "file", ["path": .string(stage.tree.path(path))]))
            }
            #expect(Set(ids).count == 2)
            for (path, id) in zip(paths, ids) {
                try await stage.expectFiring(id, path) {
                    try #require(creat(stage.tree.path(path), 0o600) >= 0)
                    try #require(utimes(stage.tree.path(path), nil) == 0)
                }
            }
            #expect(try stage.fired.triggers() == ids)
            try stage.stop()
        }

        @Test("a file in a folder that is made later fires, and one in a folder that comes by a rename")
        func laterFolder() async throws {
            let stage = try await Stage()
            try stage.tree.makeDirectory("")
            let path = stage.tree.path("a/b/c/file")
            let id = try await stage.client.addTrigger(Self.app, "file", ["path": .string(path)])
            try await stage.expectFiring(id, "the whole way") { try stage.tree.write("a/b/c/file", "x") }
            try stage.rename("a", "z")
            try stage.tree.write("y/c/file", "longer")
            try stage.tree.makeDirectory("a")
            try await stage.expectFiring(id, "another folder") { try stage.rename("y", "a/b") }
            try await stage.expectFiring(id, "a change in it") { try stage.tree.write("a/b/c/file", "longest of all") }
            try stage.stop()
        }

        @Test("a folder fires when it is touched, and a file of a time to come when it comes with its folder")
        func touchedFolder() async throws {
            let stage = try await Stage()
            try stage.tree.makeDirectory("folder")
            let (folder, file) = (stage.tree.path("folder"), stage.tree.path("place/file"))
            let touched = try await stage.client.addTrigger(Self.app, "file", ["path": .string(folder)])
            let come = try await stage.client.addTrigger(Self.app, "file", ["path": .string(file)])
            try await stage.expectFiring(touched, "a touched folder") { try #require(utimes(folder, nil) == 0) }
            let tomorrow = timeval(tv_sec: time(nil) + 86_400, tv_usec: 0)
            try stage.tree.write("aside/file", "x")
            try #require(utimes(stage.tree.path("aside/file"), [tomorrow, tomorrow]) == 0)
            try await stage.expectFiring(come, "a file of tomorrow") { try stage.rename("aside", "place") }
            try stage.stop()
        }

        @Test("a file behind a link fires where the link leads to now, however far above it the link is")
        func links() async throws {
            let stage = try await Stage()
            try stage.tree.write("one/b/c/file", "1")
            try stage.tree.write("two/b/c/other", "2")
            try stage.tree.link("current", to: "one")
            let id = try await stage.client.addTrigger(
                Self.app, "file", ["path": .string(stage.tree.path("current/b/c/file"))])
            try await stage.expectFiring(id, "the first target") { try stage.tree.write("one/b/c/file", "11") }
            try FileManager.default.removeItem(atPath: stage.tree.path("current"))
            try stage.tree.link("current", to: "two")
            // There is nothing to see of it from outside but that files there fire.
            var text = ""
            try await waitUntil("the other target fires") {
                text += "2"
                try stage.tree.write("two/b/c/file", text)
                return try await stage.client.fired(id) > 1
            }
            try stage.stop()
        }

        @Test("several triggers of one file fire, and those that are removed do not")
        func several() async throws {
            let stage = try await Stage()
            let path = stage.tree.path("file")
            try stage.tree.write("file", "x")
            let first = try await stage.client.addTrigger(Self.app, "file", ["path": .string(path)])
            let second = try await stage.client.addTrigger("", "file", ["path": .string(path + "/")])
            try stage.tree.write("file", "xy")
            try await stage.fired.wait(for: 2)
            #expect(Set(try stage.fired.triggers()) == [first, second])
            try await stage.client.sentinel.removeTrigger(triggerID: first)
            try stage.tree.write("file", "xyz")
            try await stage.fired.wait(for: 3)
            #expect(try stage.fired.triggers().last == second)
            try await stage.client.sentinel.removeTrigger(triggerID: second)
            try stage.tree.write("file", "wxyz")
            let third = try await stage.client.addTrigger(Self.app, "file", ["path": .string(path)])
            try await stage.expectFiring(third, "the new one") { try stage.tree.write("file", "v") }
            #expect(try stage.fired.triggers().count == 4)
            try stage.stop()
        }

        @Test("a picture fires when it is written, moved there, or there with a folder that is made later")
        func pictures() async throws {
            let stage = try await Stage()
            let id = try await stage.client.addTrigger(Self.app, "screenshot")
            let folder = stage.tree.path("me/Pictures/Screenshots")
            #expect(try await stage.client.obstacle(to: id) == "there is no folder \(folder) yet")
            try await stage.expectFiring(id, "the first") {
                try stage.tree.write("me/Pictures/Screenshots/1.png", "x")
            }
            #expect(try await stage.client.obstacle(to: id) == nil)
            try stage.tree.write("me/temporary", "y")
            try await stage.expectFiring(id, "one by a rename") {
                try stage.rename("me/temporary", "me/Pictures/Screenshots/2.jpg")
            }
            try await stage.expectFiring(id, "the next") {
                try stage.tree.write("me/Pictures/Screenshots/4.webp", "x")
            }
            #expect(try stage.fired.triggers() == [id, id, id])
            try stage.stop()
        }

        @Test("the folder is where the settings say, also when they change")
        func settings() async throws {
            let stage = try await Stage()
            try stage.tree.write("config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n")
            try stage.tree.write("me/Bilder/Screenshots/old.png", "x")
            let id = try await stage.client.addTrigger(Self.app, "screenshot")
            #expect(try await stage.client.obstacle(to: id) == nil)
            try await stage.expectFiring(id, "a picture") { try stage.tree.write("me/Bilder/Screenshots/a.png", "x") }
            try stage.tree.write("elsewhere/old.png", "x")
            try stage.tree.write(
                "config/user-dirs.dirs", "XDG_SCREENSHOTS_DIR=\"\(stage.tree.path("elsewhere"))\"\n")
            // That they are read again is seen from outside by pictures alone: those there fire at last.
            var number = 0
            try await waitUntil("pictures there fire") {
                number += 1
                try stage.tree.write("elsewhere/\(number).png", "x")
                return try await stage.client.fired(id) > 1
            }
            try stage.stop()
        }
    }
}
