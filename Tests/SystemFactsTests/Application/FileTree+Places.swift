// SPDX-License-Identifier: MIT

import SystemFacts
import TestSupport

extension FileTree {
    /// A user's and a system's data directory in the tree, `home` and `system`.
    var dataDirectories: DataDirectories {
        DataDirectories(paths: [path("home"), path("system")])
    }

    /// Places in the tree.
    func places(locale: String = "") -> ApplicationPlaces {
        var places = ApplicationPlaces(environment: ["LANG": locale])
        places.dataDirectories = dataDirectories
        places.searchPath = [path("bin")]
        places.snapDirectories = [path("snap")]
        return places
    }

    func lookup(locale: String = "") -> DesktopEntryLookup {
        let places = places(locale: locale)
        return DesktopEntryLookup(
            directories: places.dataDirectories, locales: places.locales, searchPath: places.searchPath,
            snapDirectories: places.snapDirectories)
    }
}
