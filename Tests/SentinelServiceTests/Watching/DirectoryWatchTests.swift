// SPDX-License-Identifier: MIT

import DBus
import Foundation
import Glibc
import TestSupport
import Testing

@testable import SentinelService

@Suite("Directory watch", .serialized, .timeLimit(.minutes(5)))
struct DirectoryWatchTests {
    private let tree: FileTree
    private let loop: EventLoop
    private let told = Recorder<Set<String>>()

    init() throws {
        tree = try FileTree()
        loop = try EventLoop.startThread(named: "watch")
    }

    private func start(patience: Duration? = nil) throws -> DirectoryWatch {
        try DirectoryWatch("test", gathering: .milliseconds(1), patience: patience, on: loop) { [told] in
            told.append(Set($0.map(\.text)))
        }
    }

    private func set(_ paths: [String], _ watch: DirectoryWatch) {
        loop.enqueue { watch.set(paths) }
    }

    private func end(_ watch: DirectoryWatch) {
        loop.enqueue { watch.cancel() }
        loop.stop()
    }

    @Test(
        "tells what happens behind links, to each of them, and where they lead to nothing yet",
        arguments: [
            (["link": "real/file"], "real/file"), (["link": "near/a", "near/a": "../real/file"], "real/file"),
            (["link": "near/a", "near/a": "../real/file"], "near/a"), (["link": "later/at/last"], "later/at/last"),
            (["link": "real"], "real/new"), (["link": "far/a/b/c", "far": "near", "near": "real"], "near"),
            (["link": "far/a/b/c", "far": "near", "near": "real"], "far"),
        ])
    func links(links: [String: String], changed: String) async throws {
        try tree.write("real/file", "1")
        for (link, target) in links {
            try tree.link(link, to: target)
        }
        let watch = try start()
        set([tree.path("link")], watch)
        try await told.wait()
        let count = told.count
        if links[changed] != nil {
            try FileManager.default.removeItem(atPath: tree.path(changed))
        } else {
            try tree.write(changed, "2")
        }
        try await told.wait(for: count + 1)
        #expect(Set(told.elements) == [[tree.path("link")]])
        end(watch)
    }

    @Test("tells a file that comes with its folder while it is being written once it is closed")
    func movedUnfinished() async throws {
        let (file, other) = (tree.path("place/file"), tree.path("other"))
        let watch = try start(patience: .seconds(3600))
        set([file, other], watch)
        try await waitUntil("both are watched") { told.elements.reduce([]) { $0.union($1) } == [file, other] }
        _ = told.takeAll()
        try tree.makeDirectory("aside")
        let descriptor = open(tree.path("aside/file"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0 && write(descriptor, "part", 4) == 4)
        try #require(rename(tree.path("aside"), tree.path("place")) == 0)
        // What is told at once of the folder is told before this.
        try tree.write("other", "1")
        try await waitUntil("the other is told") { told.elements.contains { $0.contains(other) } }
        #expect(told.elements == [[other]])
        // Its folder is watched from some time on, which is not told.
        try await waitUntil("its end is told") {
            try tree.write("place/file", "whole")
            return told.elements.contains([file])
        }
        close(descriptor)
        end(watch)
    }

    @Test("tells nothing of paths that are not wanted any more, and goes on with those beside them")
    func fewer() async throws {
        let (kept, gone) = (tree.path("kept"), tree.path("gone"))
        let watch = try start()
        set([kept, gone], watch)
        try await waitUntil("both are watched") { told.elements.reduce([]) { $0.union($1) } == [kept, gone] }
        set([kept], watch)
        try tree.write("gone", "1")
        // What is told from here on can still be of both; what is told of the next change cannot.
        try tree.write("kept", "1")
        try await waitUntil("it is told") { told.elements.last == [kept] }
        _ = told.takeAll()
        try tree.write("gone", "2")
        try tree.write("kept", "2")
        try await told.wait()
        #expect(Set(told.elements) == [[kept]])
        end(watch)
    }

    @Test(
        "goes on with other paths while one hangs, which keeps nobody alive once the watch has ended",
        .enabled(if: HangingFileSystem.isPossible, "only root may mount"))
    func hanging() async throws {
        final class Owner: Sendable {}
        let files = try HangingFileSystem(without: getpid())
        weak let owner: Owner?
        do {
            let held = Owner()
            owner = held
            let watch = try DirectoryWatch("test", gathering: .milliseconds(1), on: loop) {
                [told] paths in
                withExtendedLifetime(held) { told.append(Set(paths.map(\.text))) }
            }
            set(["\(files.path)/file", tree.path("fine")], watch)
            try await waitUntil("the file is looked at") { files.waitingCount(for: .lookup) == 1 }
            try await told.wait()
            let count = told.count
            try tree.write("fine", "1")
            try await told.wait(for: count + 1)
            #expect(Set(told.elements) == [[tree.path("fine")]])
            loop.enqueue { watch.cancel() }
        }
        try await waitUntil("nothing holds the owner") { owner == nil }
        files.end()
        loop.stop()
    }
}
