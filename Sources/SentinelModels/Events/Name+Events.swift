// SPDX-License-Identifier: MIT

/// The types of the events that the service records by itself, and their source where that is no other application.
extension Name {
    /// An instance of an application has registered.
    public static let appLaunch = Name(known: "app.launch")
    /// An instance of an application has ended.
    public static let appExit = Name(known: "app.exit")
    /// An application has come to the foreground.
    public static let appForeground = Name(known: "app.foreground")
    /// An application has gone to the background.
    public static let appBackground = Name(known: "app.background")
    /// A scene of an application has come to the foreground.
    public static let sceneForeground = Name(known: "scene.foreground")
    /// A scene of an application has gone to the background.
    public static let sceneBackground = Name(known: "scene.background")
    /// The session has been unlocked.
    public static let sessionUnlock = Name(known: "session.unlock")
    /// The session has been locked.
    public static let sessionLock = Name(known: "session.lock")
    /// The machine has woken up.
    public static let systemWake = Name(known: "system.wake")
    /// The machine goes to sleep.
    public static let systemSleep = Name(known: "system.sleep")
    /// A trigger has fired.
    public static let sentinelTrigger = Name(known: "sentinel.trigger")
    /// The value in force of a preference has changed.
    public static let preferenceChange = Name(known: "preference.change")

    /// The name of an application, as the source of its events.
    public init(_ application: ApplicationID) {
        // Every application id is a name.
        self.init(known: application.text)
    }

    private init(known text: String) {
        self.text = text
    }
}
