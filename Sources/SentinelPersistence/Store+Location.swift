// SPDX-License-Identifier: MIT

import Glibc

extension Store {
    /// The absolute path of the database file; empty for a store that is to be in memory.
    public var databasePath: String {
        guard case .directory(let directory) = writer.opener.location, !directory.isEmpty else { return "" }
        let path = StoreFiles(directory: directory).database
        guard !path.utf8.starts(with: "/".utf8), let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return "\(String(cString: current))/\(path)"
    }
}
