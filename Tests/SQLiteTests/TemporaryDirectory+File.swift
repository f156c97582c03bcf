// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

extension TemporaryDirectory {
    /// The path of a file for a database.
    func file(_ name: String = "test.db") -> String {
        path(of: name)
    }

    /// The permissions of a file.
    func permissions(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
    }
}
