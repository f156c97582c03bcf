// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence
import Testing

@testable import SentinelPreferences
@testable import SentinelService

@Suite("Presentation menu")
struct PresentationMenuTests {
    private static func name(_ text: String) throws -> Name { try Name(text) }

    /// A preference as it is listed.
    private static func listing(
        _ key: String, _ value: PreferenceValue = .boolean(false), marks: PreferenceAttributes.Marks = [],
        layer: PreferenceLayer = .default
    ) throws -> PreferenceListing {
        var attributes = PreferenceAttributes()
        attributes.marks = marks
        let declaration = try PreferenceDeclaration(
            key: try name(key), name: "Preference \(key)", defaultValue: value, attributes: attributes)
        return PreferenceListing(declaration: declaration, value: value, isStale: false, layer: layer)
    }

    private static func toggle(
        _ id: String, _ value: Bool?, title: String? = nil, _ change: (inout ToolItemAttributes) -> Void = { _ in }
    ) throws -> ToolItem {
        var attributes = ToolItemAttributes()
        attributes.isWritable = true
        change(&attributes)
        return ToolItem(
            id: try name(id), kind: .value(.toggle), title: title ?? "Item \(id)",
            value: value.map(PreferenceValue.boolean), rule: try ValueRule(.toggle), attributes: attributes)
    }

    private static func action(_ id: String, parameters: [ToolParameter] = []) throws -> ToolItem {
        ToolItem(id: try name(id), kind: .action, title: "Do \(id)", parameters: parameters)
    }

    private static func tool(
        _ id: String, _ items: [ToolItem], values: [Name: PreferenceValue] = [:]
    ) throws -> StoredTool {
        StoredTool(
            application: try ApplicationID("com.example.App"),
            tool: Tool(
                id: try name(id), name: "Tool \(id)", kind: .table,
                sections: [ToolSection(id: try name("s"), title: "", items: items)]),
            position: 0, origin: .application, values: values)
    }

    private static func ids(_ menu: PresentationMenu) -> [String] {
        menu.entries.map { entry in
            switch entry.target {
            case .preference(let key): "preference \(key)"
            case .item(let item, let tool): "item \(tool).\(item)"
            case .action(let action, let tool): "action \(tool).\(action)"
            }
        }
    }

    @Test("holds preferences in declared order before the toggles of tools, and those before actions")
    func order() throws {
        let tools = [
            try Self.tool("one", [try Self.action("a"), try Self.toggle("x", true)]),
            try Self.tool("two", [try Self.toggle("y", false), try Self.action("b")]),
        ]
        let menu = { (preferences: [PreferenceListing]) in
            Self.ids(PresentationMenu(preferences: preferences, tools: tools))
        }
        #expect(menu([]) == ["item one.x", "item two.y", "action one.a"])
        #expect(menu([try Self.listing("p")]) == ["preference p", "item one.x", "item two.y"])
        #expect(
            menu(try ["d", "c", "b", "a"].map { try Self.listing($0) }) == [
                "preference d", "preference c", "preference b",
            ])
        let few = PresentationMenu(preferences: [], tools: [tools[1]])
        #expect(Self.ids(few) == ["item two.y", "action two.b"])
        #expect(few.toolCount == 1 && few.preferenceCount == 0)
    }

    @Test("leaves out what cannot be switched or is not to be seen, and actions that want something")
    func choice() throws {
        let parameter = ToolParameter(name: try Self.name("n"), title: "", rule: try ValueRule(.integer))
        let menu = PresentationMenu(
            preferences: [
                try Self.listing("number", .integer(1)), try Self.listing("secret", marks: .sensitive),
                try Self.listing("fixed", marks: .readOnly), try Self.listing("started", layer: .launch),
                try Self.listing("live", marks: .live),
            ],
            tools: [
                try Self.tool(
                    "t",
                    [
                        try Self.toggle("shown", true) { $0.isWritable = false },
                        try Self.toggle("secret", true) { $0.isSensitive = true },
                        try Self.action("asks", parameters: [parameter]),
                        ToolItem(id: try Self.name("info"), kind: .info, title: "", value: .boolean(true)),
                        try Self.action("go"),
                    ])
            ])
        #expect(Self.ids(menu) == ["preference live", "action t.go"])
        #expect(menu.preferenceCount == 5 && menu.toolCount == 1)
    }

    @Test("knows the values of the moment: kept ones, and what a provider has told")
    func values() throws {
        let id = try Self.name("x")
        let live = try Self.name("live")
        let tool = try Self.tool(
            "t", [try Self.toggle("x", false), try Self.toggle("live", nil, title: "") { $0.isLive = true }],
            values: [id: .boolean(true)])
        let before = PresentationMenu(preferences: [], tools: [tool])
        #expect(before.entries.map(\.isOn) == [true, nil])
        #expect(before.entries.map(\.wanted) == [false, true])
        #expect(before.entries.map(\.title) == ["Item x", "live"])
        let after = PresentationMenu(
            preferences: [], tools: [tool], known: [.item(live, of: tool.tool.id): true])
        #expect(after.entries.map(\.wanted) == [false, false])
    }
}
