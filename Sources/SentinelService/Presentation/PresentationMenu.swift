// SPDX-License-Identifier: MIT

import SentinelModels
import SentinelPersistence
import SentinelPreferences

/// The little of an application's debug menu that has room in a notification: its first toggles, else actions.
struct PresentationMenu: Equatable, Sendable {
    /// So many entries there are at most.
    static let limit = 3

    /// Something that a person can do with one press.
    struct Entry: Equatable, Sendable {
        /// What it changes or does.
        enum Target: Hashable, Sendable {
            /// Changes a preference.
            case preference(Name)
            /// Changes an item of a tool.
            case item(Name, of: Name)
            /// Performs an action of a tool.
            case action(Name, of: Name)
        }

        let target: Target
        /// Name for people, as the application gave it.
        let title: String
        /// Whether a toggle is on; nil for an action, and where that is not known.
        let isOn: Bool?
        /// Whether the value is the application's to tell.
        var isLive = false

        /// The value that a press gives a toggle.
        var wanted: Bool { isOn != true }
    }

    /// What can be pressed, in order.
    var entries: [Entry] = []
    var preferenceCount = 0
    var toolCount = 0

    /// An empty menu.
    init() {}

    /// Chooses from what an application has declared, without asking it anything.
    ///
    /// - Parameter known: what is known of toggles whose values are the application's to tell.
    init(preferences: [PreferenceListing], tools: [StoredTool], known: [Entry.Target: Bool] = [:]) {
        preferenceCount = preferences.count
        toolCount = tools.count
        let items = tools.lazy.flatMap { stored in
            stored.sections.lazy.flatMap(\.items).map {
                (tool: stored.tool.id, item: $0, isLive: stored.tool.isLive || $0.attributes.isLive)
            }
        }
        entries += preferences.lazy.compactMap { Self.entry($0) }.prefix(Self.limit)
        entries += items.compactMap { Self.toggle($0.item, of: $0.tool, isLive: $0.isLive, known) }.prefix(
            Self.limit - entries.count)
        entries += items.compactMap { Self.action($0.item, of: $0.tool) }.prefix(Self.limit - entries.count)
    }

    /// A preference that a person can switch; nil for another.
    private static func entry(_ listing: PreferenceListing) -> Entry? {
        let declaration = listing.declaration
        // What an instance was started with cannot be changed while it runs.
        guard declaration.kind == .toggle, listing.layer != .launch, !declaration.isMarked(.sensitive),
            !declaration.isMarked(.readOnly), case .boolean(let isOn) = listing.value
        else { return nil }
        return Entry(
            target: .preference(declaration.key), title: title(declaration.name, declaration.key), isOn: isOn)
    }

    private static func toggle(
        _ item: ToolItem, of tool: Name, isLive: Bool, _ known: [Entry.Target: Bool]
    ) -> Entry? {
        guard item.kind == .value(.toggle), item.isWritable, !item.attributes.isSensitive else { return nil }
        let target = Entry.Target.item(item.id, of: tool)
        return Entry(
            target: target, title: title(item.title, item.id), isOn: known[target] ?? item.value?.truth, isLive: isLive)
    }

    private static func action(_ item: ToolItem, of tool: Name) -> Entry? {
        guard item.kind == .action, item.parameters.isEmpty else { return nil }
        return Entry(target: .action(item.id, of: tool), title: title(item.title, item.id), isOn: nil)
    }

    private static func title(_ title: String, _ id: Name) -> String {
        title.isEmpty ? id.text : title
    }
}

extension PreferenceValue {
    /// The value if it is true or false.
    var truth: Bool? {
        guard case .boolean(let truth) = self else { return nil }
        return truth
    }
}
