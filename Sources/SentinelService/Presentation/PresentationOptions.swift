// SPDX-License-Identifier: MIT

import DBus

/// How an application is to be presented, or dismissed.
struct PresentationOptions: Sendable {
    /// The screens that a presenter can be asked for.
    static let screens = ["device", "application", "tools", "preferences", "performance"]
    /// The longest activation token in bytes.
    private static let tokenLimit = 4096

    /// The screen to begin with, one of ``screens``; empty where the presenter chooses.
    var screen = ""
    /// What a desktop gives for a window to come to the front.
    var activationToken: String?
    /// Whether the caller itself is the presenter.
    var isPresenter = false

    /// Nothing said.
    init() {}

    /// Reads the options of `Show`, `Dismiss` and `Toggle`; unknown keys are ignored.
    ///
    /// - Parameter mayPresent: whether the option `presenter` is known.
    /// - Throws: `DBusError` with code `invalidArgs` for a known key with a value of a wrong type, for a screen that there
    ///   is not, or a token that is too long.
    init(_ options: [Key: Value], mayPresent: Bool = true) throws(DBusError) {
        screen = try options.option("screen") ?? ""
        activationToken = try options.option("activation_token")
        if mayPresent {
            isPresenter = try options.option("presenter") ?? false
        }
        guard screen.isEmpty || Self.screens.contains(where: { $0.utf8.elementsEqual(screen.utf8) }) else {
            throw DBusError(
                .invalidArgs, "option screen: expected one of \(Self.screens.joined(separator: ", ")), or nothing")
        }
        guard (activationToken ?? "").utf8.count <= Self.tokenLimit else {
            throw DBusError(.invalidArgs, "option activation_token: at most \(Self.tokenLimit) bytes are allowed")
        }
    }

    /// What a program is given that is activated (Desktop Entry Specification, "D-Bus Activation").
    var platformData: [Key: Value] {
        guard let activationToken else { return [:] }
        return ["activation-token": .string(activationToken), "desktop-startup-id": .string(activationToken)]
    }
}
