// SPDX-License-Identifier: MIT

@testable import DBus
import Testing

@Suite("Match rules")
struct MatchRuleTests {
    @Test("a rule's text has what is given, quoted")
    func text() {
        #expect(MatchRule().text == "type='signal'")
        let rule = MatchRule(
            sender: "org.sentinel", path: "/a", pathNamespace: "/b", interface: "a.b", member: "C", argument0: "x")
        #expect(
            rule.text
                == "type='signal',sender='org.sentinel',path='/a',path_namespace='/b',interface='a.b',member='C',"
                + "arg0='x'")
    }

    @Test("apostrophes, commas and backslashes in an argument are quoted as the bus reads them")
    func quoting() {
        #expect(MatchRule(argument0: "it's").text == "type='signal',arg0='it'\\''s'")
        #expect(MatchRule(argument0: "'").text == "type='signal',arg0=''\\'''")
        #expect(MatchRule(argument0: "a,b='c\\").text == "type='signal',arg0='a,b='\\''c\\'")
        #expect(MatchRule(argument0: "").text == "type='signal',arg0=''")
    }

    private func signal(
        _ path: ObjectPath = "/a/b", _ interface: InterfaceName = "a.b", _ member: MemberName = "C",
        _ body: (inout Writer) throws(DBusError) -> Void = { _ in }
    ) throws -> Message {
        try Message.signal(from: path, interface, member, body: body)
    }

    @Test("what a rule leaves open may be anything")
    func open() throws {
        #expect(MatchRule().matches(try signal(), owner: { _ in nil }))
    }

    @Test("path, interface and member must be the same")
    func fields() throws {
        let signal = try signal()
        let rules: [(MatchRule, Bool)] = [
            (MatchRule(path: "/a/b"), true), (MatchRule(path: "/a"), false), (MatchRule(interface: "a.b"), true),
            (MatchRule(interface: "a.c"), false), (MatchRule(member: "C"), true), (MatchRule(member: "D"), false),
            (MatchRule(pathNamespace: "/a"), true), (MatchRule(pathNamespace: "/a/b"), true),
            (MatchRule(pathNamespace: "/"), true), (MatchRule(pathNamespace: "/a/b/c"), false),
            (MatchRule(pathNamespace: "/b"), false), (MatchRule(path: "/a/b", member: "D"), false),
        ]
        for (rule, expected) in rules {
            #expect(rule.matches(signal, owner: { _ in nil }) == expected, "\(rule.text)")
        }
    }

    @Test("the first argument must be a text with the same bytes")
    func argument() throws {
        let rule = MatchRule(argument0: "\u{e9}")
        #expect(rule != MatchRule(argument0: "e\u{301}"))
        func matches(_ body: (inout Writer) throws(DBusError) -> Void) throws -> Bool {
            rule.matches(try signal("/", "a.b", "C", body), owner: { _ in nil })
        }
        #expect(try matches { (writer) throws(DBusError) in try writer.write("\u{e9}") })
        #expect(try !matches { (writer) throws(DBusError) in try writer.write("e\u{301}") })
        #expect(try !matches { (writer) throws(DBusError) in try writer.write(Value.string("\u{e9}")) })
        #expect(try !matches { (writer) throws(DBusError) in try writer.write(["\u{e9}"]) })
        #expect(try !matches { _ in })
    }

    @Test("a well-known sender stands for its owner, and without one nothing fits")
    func sender() throws {
        let rule = MatchRule(sender: "org.sentinel")
        // A message that has not passed a bus has no sender.
        #expect(!rule.matches(try signal(), owner: { _ in ":1.1" }))
        #expect(!rule.matches(try signal(), owner: { _ in nil }))
    }
}

@Suite("Signal routes")
struct SignalRouterTests {
    private func route(_ rule: MatchRule) -> SignalRouter.Route {
        SignalRouter.Route(rule: rule, handler: { _ in }, ended: { _ in })
    }

    @Test("the bus is told a rule once and forgets it with the last route")
    func counting() {
        var router = SignalRouter()
        let rule = MatchRule(member: "C")
        let (first, isNew) = router.add(route(rule))
        let (second, isNewAgain) = router.add(route(rule))
        #expect(isNew && !isNewAgain)
        #expect(router.ruleCount == 1)
        #expect(router.remove(first) == nil)
        #expect(router.remove(first) == nil)
        #expect(router.remove(second) == rule)
        #expect(router.ruleCount == 0)
        #expect(router.add(route(rule)).isNew)
    }

    @Test("routes come in the order in which they were added, those for every member among them")
    func order() throws {
        var router = SignalRouter()
        let identifiers = [
            MatchRule(member: "C"), MatchRule(), MatchRule(member: "D"), MatchRule(interface: "a.b"),
            MatchRule(path: "/", member: "C"),
        ].map { router.add(route($0)).0 }
        let signal = try Message.signal(from: "/", "a.b", "C")
        #expect(router.routes(for: signal) == [0, 1, 3, 4].map { identifiers[$0] })
    }
}
