// SPDX-License-Identifier: MIT

import SentinelModels

/// What a notification says, and what can be pressed in it.
struct NotificationContents: Equatable, Sendable {
    /// What people may read of a name, of a line and of a message, in bytes.
    private static let longestName = 64
    private static let longestLine = 200

    /// Icon name or path; empty for none.
    var icon = ""
    /// What the application is called.
    var summary = ""
    /// Some lines about it, with markup where the server reads it.
    var body = ""
    /// The texts of the menu's entries, in their order; none where the server shows no actions.
    var labels: [String] = []

    /// Says what a menu offers, as far as a server can show it.
    ///
    /// - Parameter note: what has come of the last press.
    init(
        name: String, icon: String, _ menu: PresentationMenu, note: String? = nil,
        for capabilities: NotificationCapabilities
    ) {
        self.icon = icon
        summary = ShownText.make(name, limit: Self.longestLine)
        if capabilities.hasBody {
            let text = Self.lines(menu, note).joined(separator: "\n")
            body = capabilities.hasMarkup ? Self.escaped(text) : text
        }
        if capabilities.hasActions {
            labels = menu.entries.map(Self.label)
        }
    }

    /// What a press of an entry will do.
    static func label(_ entry: PresentationMenu.Entry) -> String {
        let title = ShownText.make(entry.title, limit: longestName)
        return switch entry.target {
        case .action: title
        case .preference, .item: "Turn \(title) \(entry.wanted ? "on" : "off")"
        }
    }

    /// What has come of a press, for people.
    static func note(_ entry: PresentationMenu.Entry, _ error: SentinelError?) -> String? {
        let label = label(entry)
        if let error {
            return "\(label): failed: \(ShownText.make(error.message, limit: longestLine))"
        }
        // That a toggle is another now can be seen.
        guard case .action = entry.target else { return nil }
        return "\(label): done"
    }

    private static func lines(_ menu: PresentationMenu, _ note: String?) -> [String] {
        let states = menu.entries.compactMap { entry in
            entry.isOn.map { "\(ShownText.make(entry.title, limit: longestName)): \($0 ? "on" : "off")" }
        }
        let counts = [(menu.preferenceCount, "preference"), (menu.toolCount, "tool")].filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        let overview = counts.isEmpty ? "Nothing is declared yet" : counts.joined(separator: ", ")
        return (note.map { [$0] } ?? []) + states + [overview]
    }

    /// The text as markup that shows it (Desktop Notifications Specification, "Markup").
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
