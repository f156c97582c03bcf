// SPDX-License-Identifier: MIT

/// Where a store keeps its database.
public enum StoreLocation: Hashable, Sendable {
    /// The file `sentinel.db` (mode 0600) in a directory, which is created with its parents (mode 0700) where it is
    /// missing. Neither of the two may be a symbolic link; the directory's parents may.
    case directory(String)

    /// Memory, gone with the store.
    case memory
}
