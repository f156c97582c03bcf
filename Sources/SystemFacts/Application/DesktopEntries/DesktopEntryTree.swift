// SPDX-License-Identifier: MIT

/// The desktop entries below the data directories.
struct DesktopEntryTree: Sendable {
    /// A file of the tree.
    struct Place: Hashable {
        /// Desktop file id without `.desktop`.
        let id: String
        let path: String
    }

    /// How deep directories are looked into.
    static let maximumDepth = 4
    /// How many entries of directories one search looks at.
    static let maximumEntryCount = 20_000
    private static let suffix = ".desktop"

    /// Absolute paths of the directories `applications`, the strongest first.
    let roots: [String]

    init(_ directories: DataDirectories) {
        roots = directories.paths.map { "\($0)/applications" }
    }

    /// The files that an id may stand for, the strongest first.
    ///
    /// An id is a path with `-` for `/` ("Desktop File ID"), so that each `-` of it may be either. Only directories that
    /// are there are looked into.
    func places(of id: String) -> [Place] {
        guard Self.isFileName(id) else { return [] }
        var budget = 1000
        return roots.flatMap { root in
            paths(of: id[...], in: root, depth: 0, &budget).map { Place(id: id, path: $0) }
        }
    }

    /// The file that a path means; nil where it is not below the roots.
    func place(at path: String) -> Place? {
        guard !path.utf8.contains(0) else { return nil }
        for root in roots {
            guard path.utf8.starts(with: "\(root)/".utf8) else { continue }
            let elements = path.utf8.dropFirst(root.utf8.count).split(separator: UInt8(ascii: "/"))
                .map { String(decoding: $0, as: UTF8.self) }
            guard elements.count <= Self.maximumDepth + 1, elements.allSatisfy(Self.isFileName),
                let id = elements.joined(separator: "-").without(suffix: Self.suffix)
            else { return nil }
            return Place(id: id, path: "\(root)/\(elements.joined(separator: "/"))")
        }
        return nil
    }

    /// All files, the strongest of each id, sorted within each root. Reads directories, not files.
    func allPlaces() -> [Place] {
        var places: [Place] = []
        var seen: Set<String> = []
        var budget = Self.maximumEntryCount
        for root in roots {
            for place in self.places(in: root, prefix: "", depth: 0, &budget) where seen.insert(place.id).inserted {
                places.append(place)
            }
        }
        return places
    }

    private func paths(of id: Substring, in directory: String, depth: Int, _ budget: inout Int) -> [String] {
        budget -= 1
        guard budget > 0 else { return [] }
        var found: [String] = []
        let path = "\(directory)/\(id)\(Self.suffix)"
        if FileIdentity.isThere(path) {
            found.append(path)
        }
        guard depth < Self.maximumDepth else { return found }
        for place in id.indices where id[place] == "-" {
            let name = String(id[..<place])
            let rest = id[place...].dropFirst()
            let subdirectory = "\(directory)/\(name)"
            guard Self.isFileName(name), !rest.isEmpty, FileIdentity(of: subdirectory)?.isDirectory ?? false else {
                continue
            }
            found += paths(of: rest, in: subdirectory, depth: depth + 1, &budget)
        }
        return found
    }

    private func places(in directory: String, prefix: String, depth: Int, _ budget: inout Int) -> [Place] {
        let names = DirectoryListing.names(in: directory, limit: budget)
        budget -= names.count
        var places: [Place] = []
        for name in names where Self.isFileName(name) {
            let path = "\(directory)/\(name)"
            if let stem = name.without(suffix: Self.suffix) {
                places.append(Place(id: "\(prefix)\(stem)", path: path))
            } else if depth < Self.maximumDepth, budget > 0, FileIdentity(of: path)?.isDirectory ?? false {
                places += self.places(in: path, prefix: "\(prefix)\(name)-", depth: depth + 1, &budget)
            }
        }
        return places
    }

    /// Whether a text may be the name of a file here: no path, and not one that begins with a dot, `..` among them.
    private static func isFileName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255 && text.utf8.first != UInt8(ascii: ".")
            && !text.utf8.contains(UInt8(ascii: "/")) && !text.utf8.contains(0)
    }
}
