// SPDX-License-Identifier: MIT

import SentinelModels

extension TriggerDeclaration {
    /// The same with the user's home where a manifest has `~/` at the beginning of a file's path; nil where that is needed
    /// and there is none.
    func expanding(home: String?) -> TriggerDeclaration? {
        guard kind.text == TriggerCause.Kind.file.rawValue else { return self }
        var options = options
        for (name, value) in options {
            guard name.text == "path", case .text(let path) = value, path.utf8.starts(with: "~/".utf8) else { continue }
            guard let home else { return nil }
            options[name] = .text("\(home)\(path.dropFirst())")
        }
        return TriggerDeclaration(kind: kind, options: options)
    }
}
