// SPDX-License-Identifier: MIT

import SentinelModels

/// A path, or the name of a file. Two are one only if their bytes are.
struct FilePath: UTF8Identity {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
