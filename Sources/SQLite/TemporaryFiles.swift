// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// The system's files as SQLite uses them, with another directory for temporary ones. SQLite's own setting of that is one
/// for the whole process.
final class TemporaryFiles {
    /// By what name SQLite knows it.
    let name: String
    private let layer: UnsafeMutablePointer<Layer>
    private let cName: UnsafeMutablePointer<CChar>

    /// What SQLite is given a pointer to: its own structure, then what belongs to this one.
    private struct Layer {
        var system: sqlite3_vfs
        let original: UnsafeMutablePointer<sqlite3_vfs>
        let directory: UnsafeMutablePointer<CChar>
    }

    init(in directory: String) throws(SQLiteError) {
        guard let original = sqlite3_vfs_find(nil) else {
            throw SQLiteError(code: .internal, message: "SQLite knows no files")
        }
        layer = .allocate(capacity: 1)
        name = "sentinel-\(UInt(bitPattern: layer))"
        guard let cName = strdup(name), let cDirectory = strdup(directory) else {
            layer.deallocate()
            throw SQLiteError(code: .noMemory, message: "no memory for the name of a directory")
        }
        self.cName = cName
        layer.initialize(to: Layer(system: original.pointee, original: original, directory: cDirectory))
        layer.pointee.system.pNext = nil
        layer.pointee.system.zName = UnsafePointer(cName)
        layer.pointee.system.xOpen = { system, path, file, flags, outFlags in
            guard let system else { return SQLITE_CANTOPEN }
            return UnsafeMutableRawPointer(system).withMemoryRebound(to: Layer.self, capacity: 1) { layer in
                TemporaryFiles.open(layer.pointee, path, file, flags, outFlags)
            }
        }
        let result = layer.withMemoryRebound(to: sqlite3_vfs.self, capacity: 1) { sqlite3_vfs_register($0, 0) }
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, handle: nil)
        }
    }

    deinit {
        layer.withMemoryRebound(to: sqlite3_vfs.self, capacity: 1) { _ = sqlite3_vfs_unregister($0) }
        free(layer.pointee.directory)
        free(cName)
        layer.deallocate()
    }

    private static func open(
        _ layer: Layer, _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard path == nil, flags & SQLITE_OPEN_DELETEONCLOSE != 0 else {
            return layer.original.pointee.xOpen(layer.original, path, file, flags, outFlags)
        }
        let number = UInt64.random(in: 0 ... .max)
        // Two zeros end it: parameters of a URI would follow the first. Such a file is opened anew or not at all, and
        // unlinked at once.
        let name = Array("\(String(cString: layer.directory))/.query-\(String(number, radix: 16))".utf8CString) + [0]
        return name.withUnsafeBufferPointer {
            layer.original.pointee.xOpen(layer.original, $0.baseAddress, file, flags, outFlags)
        }
    }
}
