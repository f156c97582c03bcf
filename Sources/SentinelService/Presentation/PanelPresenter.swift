// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// The panel, as it shows one application.
final class PanelPresenter: Presenter, @unchecked Sendable {
    let owner: BusName
    private(set) var hasEnded = false
    private let id: ApplicationID
    private let panel: Panel

    init(_ owner: BusName, showing id: ApplicationID, _ panel: Panel) {
        self.owner = owner
        self.id = id
        self.panel = panel
    }

    /// One that has given the name back is on its way out.
    var watchedName: BusName { Panel.name }

    func dismiss(_ options: PresentationOptions, askedBy caller: BusName?) {
        hasEnded = true
        if caller != owner {
            panel.dismiss(id, options, at: owner)
        }
    }
}
