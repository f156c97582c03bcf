// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

/// Whether what the project says of itself is true: the interfaces, the service files, the scripts, the README.
@Suite("Conformance", .serialized)
enum ConformanceTests {
    /// The directory of the package.
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The text of a file of the package.
    static func text(of path: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }
}
