// SPDX-License-Identifier: MIT

import DBus
import SentinelModels
import SystemFacts

/// Triggers that wait for a new picture in the user's folder for screenshots, wherever the settings say that it is, and
/// whether or not it is there already.
///
/// Pictures that come within a moment fire once. Confined to the loop's thread.
final class ScreenshotTriggers: TriggerSource, @unchecked Sendable {
    private let fire: (Name) -> Void
    /// Where the settings are; the root where nothing says, which then stands for them.
    private let settingsPath: FilePath
    private let settings: PathWatcher<Fact<String>>
    private let folders: PathWatcher<PictureListing>
    private var triggers: Set<Name> = []
    /// Where the folder is; nil as long as the settings have not been read.
    private var place: Fact<String>?
    private var folder = PictureFolder()
    private var isThere = false

    init(environment: [String: String], loop: EventLoop, fire: @escaping (Name) -> Void) {
        self.fire = fire
        let screenshots = ScreenshotFolder(environment: environment)
        settingsPath = FilePath(screenshots.settingsPath ?? "/")
        settings = PathWatcher("org.sentinel.screenshot-settings", on: loop) { _ in screenshots.locate() }
        folders = PathWatcher("org.sentinel.screenshots", on: loop) { PictureListing(of: $0) }
        settings.lookedAt = { [weak self] _, place in self?.take(place) }
        folders.lookedAt = { [weak self] _, listing in self?.take(listing) }
    }

    func add(_ trigger: Name, _ cause: TriggerCause) {
        triggers.insert(trigger)
        settings.add(settingsPath)
    }

    func remove(_ trigger: Name) {
        triggers.remove(trigger)
        guard triggers.isEmpty else { return }
        settings.remove(settingsPath)
        follow(nil)
    }

    private func take(_ place: Fact<String>) {
        guard !triggers.isEmpty, place.value != self.place?.value || self.place == nil else { return }
        follow(place)
    }

    /// Follows the folder at a place, and no other.
    private func follow(_ place: Fact<String>?) {
        if let path = self.place?.value {
            folders.remove(FilePath(path))
        }
        self.place = place
        folder = PictureFolder()
        isThere = false
        if let path = place?.value {
            folders.add(FilePath(path))
        }
    }

    private func take(_ listing: PictureListing) {
        isThere = listing.pictures != nil
        guard folder.take(listing) else { return }
        for trigger in triggers.sorted() {
            fire(trigger)
        }
    }

    func obstacle(to trigger: Name) -> String? {
        switch place {
        case nil: "where screenshots are is not known yet"
        case .failure(let error): "there is no folder for screenshots: \(error.message)"
        case .success(let path):
            folders.obstacle(at: FilePath(path)) ?? (isThere ? nil : "there is no folder \(ShownText.make(path)) yet")
        }
    }

    func whenWatching(_ trigger: Name, _ completion: @escaping () -> Void) {
        settings.whenLookedAt(settingsPath) { [self] in
            guard let path = place?.value else { return completion() }
            folders.whenLookedAt(FilePath(path), completion)
        }
    }

    func stop() {
        triggers = []
        settings.stop()
        folders.stop()
    }
}
