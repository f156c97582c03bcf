// SPDX-License-Identifier: MIT

import DBus

/// A client that draws the screens itself. It is told nothing but by the signal `Dismissed`.
final class ClientPresenter: Presenter {
    let owner: BusName

    init(_ owner: BusName) {
        self.owner = owner
    }

    var watchedName: BusName { owner }
    var hasEnded: Bool { false }

    func dismiss(_ options: PresentationOptions, askedBy caller: BusName?) {}
}
