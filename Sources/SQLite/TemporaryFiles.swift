// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// The system's files as SQLite uses them, with another directory for temporary ones, and a limit for what is written into
/// all of these together. SQLite's own setting of the directory is one for the whole process; of a limit it knows nothing.
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
        let writing: UnsafeMutablePointer<Writing>
    }

    /// What SQLite does with a temporary file; its own structure, then what belongs to this one.
    private struct Writing {
        var methods = sqlite3_io_methods()
        /// What the system does; nil before the first file.
        var original: UnsafePointer<sqlite3_io_methods>?
        /// How many bytes the files may grow by yet.
        var bytesLeft: Int64
    }

    /// - Parameter byteLimit: how much is written at most in all.
    init(in directory: String, byteLimit: Int64) throws(SQLiteError) {
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
        let writing = UnsafeMutablePointer<Writing>.allocate(capacity: 1)
        writing.initialize(to: Writing(bytesLeft: byteLimit))
        layer.initialize(
            to: Layer(system: original.pointee, original: original, directory: cDirectory, writing: writing))
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
        layer.pointee.writing.deallocate()
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
        let result = name.withUnsafeBufferPointer {
            layer.original.pointee.xOpen(layer.original, $0.baseAddress, file, flags, outFlags)
        }
        if result == SQLITE_OK, let file {
            limit(file, layer.writing)
        }
        return result
    }

    /// Has what is written into a file counted.
    private static func limit(_ file: UnsafeMutablePointer<sqlite3_file>, _ writing: UnsafeMutablePointer<Writing>) {
        guard let methods = file.pointee.pMethods else { return }
        if writing.pointee.original == nil {
            writing.pointee.original = methods
            writing.pointee.methods = methods.pointee
            writing.pointee.methods.xWrite = { TemporaryFiles.write($0, $1, $2, $3) }
        }
        // The system has one way for all files without a name.
        guard writing.pointee.original == methods else { return }
        file.pointee.pMethods = UnsafeRawPointer(writing).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    private static func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        guard let file, let methods = file.pointee.pMethods else { return SQLITE_IOERR }
        let writing = UnsafeMutableRawPointer(mutating: methods).assumingMemoryBound(to: Writing.self)
        guard let original = writing.pointee.original else { return SQLITE_IOERR }
        var size: Int64 = 0
        let result = original.pointee.xFileSize(file, &size)
        guard result == SQLITE_OK else { return result }
        let growth = max(0, offset + Int64(count) - size)
        guard growth <= writing.pointee.bytesLeft else { return SQLITE_FULL }
        writing.pointee.bytesLeft -= growth
        return original.pointee.xWrite(file, bytes, count, offset)
    }
}
