// SPDX-License-Identifier: MIT

import SystemFacts

extension FileTree {
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
