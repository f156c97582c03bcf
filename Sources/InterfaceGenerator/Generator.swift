// SPDX-License-Identifier: MIT

import Foundation

/// Makes Swift files of a directory of introspection files.
struct Generator {
    private let input: URL
    private let output: URL

    init(input: URL, output: URL) {
        self.input = input
        self.output = output
    }

    /// Reads all files, then writes all files; nothing is written if anything is wrong.
    ///
    /// - Returns: what is wrong, file by file; nothing if all has been written.
    func run() throws -> [Problem] {
        var interfaces: [Interface] = []
        var problems: [Problem] = []
        let files = try inputFiles()
        guard !files.isEmpty else {
            return [
                Problem(Location(file: input.path(percentEncoded: false)), "there is no .xml file in the directory")
            ]
        }
        for file in files {
            do throws(Problem) {
                interfaces += try Self.interfaces(in: file)
            } catch {
                problems.append(error)
            }
        }
        guard problems.isEmpty else { return problems }
        do throws(Problem) {
            try write(try Contract(interfaces))
        } catch {
            problems.append(error)
        }
        return problems
    }

    /// The files with their contents, by name.
    static func sources(_ contract: Contract) -> [String: String] {
        [
            "Structures.swift": StructureEmitter.source(contract),
            "Interfaces.swift": DescriptionEmitter.source(contract),
            "Handlers.swift": HandlerEmitter.source(contract),
            "Implementations.swift": ImplementationEmitter.source(contract),
            "Proxies.swift": ProxyEmitter.source(contract),
        ]
    }

    private func inputFiles() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: input, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "xml" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private static func interfaces(in file: URL) throws(Problem) -> [Interface] {
        let path = file.path(percentEncoded: false)
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw Problem(Location(file: path), "cannot be read: \(error.localizedDescription)")
        }
        return try InterfaceReader.interfaces(in: try Element.root(of: data, named: path))
    }

    /// Writes the files, but for those that have the contents already: what is made of them needs no making anew.
    private func write(_ contract: Contract) throws(Problem) {
        for (name, source) in Self.sources(contract).sorted(by: { $0.key < $1.key }) {
            let file = output.appending(path: name)
            do {
                try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
                let contents = Data(source.utf8)
                if FileManager.default.contents(atPath: file.path(percentEncoded: false)) != contents {
                    try contents.write(to: file, options: .atomic)
                }
            } catch {
                throw Problem(
                    Location(file: file.path(percentEncoded: false)), "cannot be written: \(error.localizedDescription)"
                )
            }
        }
    }
}
