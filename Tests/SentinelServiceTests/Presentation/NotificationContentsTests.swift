// SPDX-License-Identifier: MIT

import SentinelModels
import Testing

@testable import SentinelService

@Suite("Notification contents")
struct NotificationContentsTests {
    private typealias Entry = PresentationMenu.Entry

    private static let everything = NotificationCapabilities(["actions", "body", "body-markup", "sound"])

    private static func menu(_ title: String = "Dark mode") throws -> PresentationMenu {
        let (key, tool) = (try Name("k"), try Name("t"))
        var menu = PresentationMenu()
        menu.entries = [
            Entry(target: .preference(key), title: title, isOn: false),
            Entry(target: .item(key, of: tool), title: "Trace", isOn: true),
            Entry(target: .action(key, of: tool), title: "Clear the cache", isOn: nil),
        ]
        menu.preferenceCount = 1
        menu.toolCount = 2
        return menu
    }

    @Test("labels say what a press will do, the body how things are")
    func texts() throws {
        let contents = NotificationContents(name: "App", icon: "app", try Self.menu(), for: Self.everything)
        #expect(contents.icon == "app")
        #expect(contents.summary == "App")
        #expect(contents.labels == ["Turn Dark mode on", "Turn Trace off", "Clear the cache"])
        #expect(contents.body == "Dark mode: off\nTrace: on\n1 preference, 2 tools")
        let empty = NotificationContents(name: "App", icon: "", PresentationMenu(), for: Self.everything)
        #expect(empty.body == "Nothing is declared yet")
        #expect(empty.labels.isEmpty)
    }

    @Test("only what the server can show is given to it", arguments: [[], ["actions"], ["body"], ["body-markup"]])
    func capabilities(names: [String]) throws {
        let contents = NotificationContents(
            name: "A & B", icon: "", try Self.menu("<i>x</i>"), for: NotificationCapabilities(names))
        // A summary is never markup.
        #expect(contents.summary == "A & B")
        #expect(contents.labels.isEmpty == !names.contains("actions"))
        #expect(contents.body.isEmpty == !names.contains("body"))
        if names == ["body"] {
            #expect(contents.body.hasPrefix("<i>x</i>: off\n"))
        }
        let markup = NotificationContents(
            name: "A & B", icon: "", try Self.menu("<i>x</i>"), note: "1 & 2",
            for: NotificationCapabilities(["body", "body-markup"]))
        #expect(markup.body.hasPrefix("1 &amp; 2\n&lt;i&gt;x&lt;/i&gt;: off\n"))
    }

    @Test("what applications call things moves no cursor, turns no direction and fills no screen")
    func hostile() throws {
        let title = "\u{1B}[2J\u{202E}evil\n" + String(repeating: "x", count: 10_000)
        let contents = NotificationContents(
            name: title, icon: "", try Self.menu(title), note: nil, for: Self.everything)
        for text in [contents.summary] + contents.labels + contents.body.split(separator: "\n").map(String.init) {
            #expect(text.utf8.count < 300)
            #expect(
                text.unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control && $0 != "\u{202E}"
                })
        }
    }

    @Test("notes say that an action is done, and why something is not")
    func notes() throws {
        let entries = try Self.menu().entries
        #expect(NotificationContents.note(entries[0], nil) == nil)
        #expect(NotificationContents.note(entries[2], nil) == "Clear the cache: done")
        let error = SentinelError(.unavailable, "no\u{7}provider")
        #expect(NotificationContents.note(entries[0], error) == "Turn Dark mode on: failed: no\u{2407}provider")
    }
}
