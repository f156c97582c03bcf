// SPDX-License-Identifier: MIT

/// A tool of an application as it is declared: a named screen with values to look at, to change, and actions.
public struct Tool: Equatable, Sendable {
    /// What kind of tool it is; a renderer may draw kinds differently.
    public enum Kind: String, CaseIterable, Sendable {
        /// Values of any kind in rows.
        case table
        /// A text to read, such as a log.
        case text
        /// The application's settings.
        case defaults
        /// A place on earth.
        case location
        /// A message to send.
        case email
        /// What is known of crashes.
        case crashes
        /// What is in a database.
        case database
        /// Anything else.
        case custom
    }

    /// Id, unique within the application.
    public let id: Name
    /// Name for people.
    public let name: String
    /// What kind of tool it is.
    public let kind: Kind
    /// What it shows, in order. Sections' ids are unique in it, and so are the items' ids of all sections.
    public let sections: [ToolSection]
    /// Explanation for people.
    public let description: String?
    /// Icon name, or absolute path of a picture.
    public let icon: String?
    /// Whether the content is asked from the provider.
    public let isLive: Bool

    /// A tool of these parts, which are taken as they are.
    public init(
        id: Name, name: String, kind: Kind, sections: [ToolSection], description: String? = nil, icon: String? = nil,
        isLive: Bool = false
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.sections = sections
        self.description = description
        self.icon = icon
        self.isLive = isLive
    }

    /// An item of any section; nil where there is none.
    public func item(_ id: Name) -> ToolItem? {
        for section in sections {
            if let item = section.items.first(where: { $0.id == id }) { return item }
        }
        return nil
    }

    /// How many bytes it takes, as limits count them.
    public var byteCount: Int {
        64 + id.text.utf8.count + name.utf8.count + (description?.utf8.count ?? 0) + (icon?.utf8.count ?? 0)
            + sections.reduce(0) { $0 + $1.byteCount }
    }
}

/// A part of a screen.
public struct ToolSection: Equatable, Sendable {
    /// Id, unique within the screen.
    public let id: Name
    /// Title for people, may be empty.
    public let title: String
    /// The items in order.
    public var items: [ToolItem]
    /// Explanation for people.
    public let description: String?
    /// Icon name, or absolute path of a picture.
    public let icon: String?
    /// Text below the section.
    public let footer: String?

    /// A section of these parts, which are taken as they are.
    public init(
        id: Name, title: String, items: [ToolItem], description: String? = nil, icon: String? = nil,
        footer: String? = nil
    ) {
        self.id = id
        self.title = title
        self.items = items
        self.description = description
        self.icon = icon
        self.footer = footer
    }

    var byteCount: Int {
        64 + id.text.utf8.count + title.utf8.count + (description?.utf8.count ?? 0) + (icon?.utf8.count ?? 0)
            + (footer?.utf8.count ?? 0) + items.reduce(0) { $0 + $1.byteCount }
    }
}

extension [ToolSection] {
    /// The items of all sections by their ids.
    public var itemsByID: [Name: ToolItem] {
        Dictionary(lazy.flatMap(\.items).map { ($0.id, $0) }) { first, _ in first }
    }
}
