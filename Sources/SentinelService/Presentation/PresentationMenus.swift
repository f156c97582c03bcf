// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SentinelPreferences

/// Makes the menus of applications from what is known of them, and does what a person chooses.
///
/// Confined to the loop's thread.
final class PresentationMenus: @unchecked Sendable {
    typealias Target = PresentationMenu.Entry.Target
    /// Gets the value in force afterwards; nil for an action, and for a value that is neither true nor false.
    typealias Completion = @Sendable (Result<Bool?, SentinelError>) -> Void

    private let preferences: PreferenceService
    private let tools: ToolDirectory
    private let serviceTools: ServiceTools
    private let link: ProviderLink

    init(preferences: PreferenceService, tools: ToolDirectory, serviceTools: ServiceTools, link: ProviderLink) {
        self.preferences = preferences
        self.tools = tools
        self.serviceTools = serviceTools
        self.link = link
    }

    /// The menu of an application as far as it is known at once: no provider is asked.
    func menu(of application: KnownApplication, known: [Target: Bool]) -> PresentationMenu {
        var menu = PresentationMenu(
            preferences: preferences.book(of: application.id).listings, tools: tools.tools(of: application),
            known: known)
        if application.id == .sentinel {
            menu.toolCount = serviceTools.count
        }
        return menu
    }

    /// Does what an entry stands for, just as a call of the application's object would.
    func perform(
        _ entry: PresentationMenu.Entry, of application: KnownApplication, completion: @escaping Completion
    ) {
        let object = ApplicationTools(application, directory: tools, link: link)
        switch entry.target {
        case .preference(let key):
            preferences.book(of: application.id).set(
                key, to: .boolean(entry.wanted), origin: ApplicationID.sentinel.text
            ) { completion($0.map(\.truth)) }
        case .item(let item, let tool):
            object.set(tool: tool.text, item: item.text, value: .boolean(entry.wanted)) { result in
                completion(result.map { $0.preference?.truth })
            }
        case .action(let action, let tool):
            object.invoke(tool: tool.text, action: action.text, parameters: [:]) { result in
                completion(result.map { _ in nil })
            }
        }
    }
}
