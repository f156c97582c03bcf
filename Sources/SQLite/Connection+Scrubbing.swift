// SPDX-License-Identifier: MIT

import CSQLite

extension Connection {
    /// Overwrites with zeros the unused space of the database's pages, a number of pages at a time.
    ///
    /// `secure_delete` overwrites what is deleted where it lies. Where SQLite has moved rows to another page to make
    /// room, copies of them stay in the space between a page's cell pointers and its cells, and no deletion finds them.
    /// This writes to the file itself, which is right only while nothing of it is in a log and nobody writes: in an
    /// immediate transaction that has written nothing, right after a checkpoint that has truncated the log.
    ///
    /// - Parameters:
    ///   - first: number of the page to begin with, from 1 on.
    ///   - count: how many pages to look at.
    /// - Returns: the page to go on with, nil at the end. Does nothing in a database without `auto_vacuum`, which
    ///   does not tell what a page is for.
    public func scrub(from first: Int, count: Int) throws(SQLiteError) -> Int? {
        precondition(isInTransaction && first > 0)
        let file = try DatabaseFile(handle: try usableHandle(), path: path)
        guard let layout = try PageLayout(file) else { return nil }
        let end = min(first + count, layout.pageCount + 1)
        var buffer = [UInt8](repeating: 0, count: layout.pageSize)
        var map = [UInt8](repeating: 0, count: layout.pageSize)
        var mapPage = 0
        var hasChanged = false
        for page in stride(from: first, to: end, by: 1) {
            if page > 1 {
                let wantedMap = layout.mapPage(of: page)
                guard page != wantedMap, page != layout.lockPage else { continue }
                if mapPage != wantedMap {
                    try file.read(&map, at: layout.offset(of: wantedMap))
                    mapPage = wantedMap
                }
                guard layout.isTree(page, in: map) else { continue }
            }
            try file.read(&buffer, at: layout.offset(of: page))
            if let gap = layout.gap(of: page, in: buffer), buffer[gap].contains(where: { $0 != 0 }) {
                for index in gap {
                    buffer[index] = 0
                }
                try file.write(buffer, at: layout.offset(of: page))
                hasChanged = true
            }
        }
        if hasChanged {
            try file.synchronize()
        }
        // What this connection holds of the pages would be written back with the next change.
        sqlite3_db_release_memory(try usableHandle())
        return end <= layout.pageCount ? end : nil
    }
}

/// A database's file as SQLite has it open: to open it once more and close that would drop SQLite's locks on it
/// (`fcntl(2)`).
private struct DatabaseFile {
    let file: UnsafeMutablePointer<sqlite3_file>
    let methods: sqlite3_io_methods
    let path: String?

    init(handle: OpaquePointer, path: String?) throws(SQLiteError) {
        self.path = path
        var found: UnsafeMutablePointer<sqlite3_file>?
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &found)
        guard result == SQLITE_OK, let found, let methods = found.pointee.pMethods else {
            throw SQLiteError(code: .cannotOpen, message: "the database has no file", path: path)
        }
        file = found
        self.methods = methods.pointee
    }

    func size() throws(SQLiteError) -> Int {
        var size: Int64 = 0
        try check(methods.xFileSize(file, &size))
        return Int(size)
    }

    func read(_ buffer: inout [UInt8], at offset: Int) throws(SQLiteError) {
        let count = Int32(buffer.count)
        let result = buffer.withUnsafeMutableBytes { methods.xRead(file, $0.baseAddress, count, Int64(offset)) }
        try check(result)
    }

    func write(_ buffer: [UInt8], at offset: Int) throws(SQLiteError) {
        let result = buffer.withUnsafeBytes {
            methods.xWrite(file, $0.baseAddress, Int32($0.count), Int64(offset))
        }
        try check(result)
    }

    func synchronize() throws(SQLiteError) {
        try check(methods.xSync(file, SQLITE_SYNC_NORMAL))
    }

    private func check(_ result: Int32) throws(SQLiteError) {
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, handle: nil, path: path)
        }
    }
}

/// Where in a database's file what is (<https://www.sqlite.org/fileformat2.html>).
private struct PageLayout {
    let pageSize: Int
    let pageCount: Int
    /// Bytes of a page without those that extensions reserve.
    private let usableSize: Int

    /// Nil for a database without a pointer map.
    init?(_ file: DatabaseFile) throws(SQLiteError) {
        var header = [UInt8](repeating: 0, count: 100)
        let size = try file.size()
        guard size >= header.count else { return nil }
        try file.read(&header, at: 0)
        let written = Int(header[16]) << 8 | Int(header[17])
        pageSize = written == 1 ? 65_536 : written
        guard pageSize >= 512, header[52..<56].contains(where: { $0 != 0 }) else { return nil }
        usableSize = pageSize - Int(header[20])
        pageCount = size / pageSize
    }

    /// The page in which locks are taken, which holds nothing.
    var lockPage: Int { 0x4000_0000 / pageSize + 1 }

    func offset(of page: Int) -> Int { (page - 1) * pageSize }

    /// The page of the pointer map that tells what a page from 2 on is for.
    func mapPage(of page: Int) -> Int {
        let span = usableSize / 5 + 1
        let found = (page - 2) / span * span + 2
        return found == lockPage ? found + 1 : found
    }

    /// Whether a page belongs to a table or an index and holds its cells: a root or another page of the tree.
    func isTree(_ page: Int, in map: [UInt8]) -> Bool {
        let index = 5 * (page - mapPage(of: page) - 1)
        return map.indices.contains(index) && (map[index] == 1 || map[index] == 5)
    }

    /// The space between a page's cell pointers and its cells; nil where there is none, or the page makes no sense.
    func gap(of page: Int, in bytes: [UInt8]) -> Range<Int>? {
        let header = page == 1 ? 100 : 0
        let headerSize: Int
        switch bytes[header] {
        case 2, 5: headerSize = 12
        case 10, 13: headerSize = 8
        default: return nil
        }
        let cells = Int(bytes[header + 3]) << 8 | Int(bytes[header + 4])
        let content = Int(bytes[header + 5]) << 8 | Int(bytes[header + 6])
        let start = header + headerSize + 2 * cells
        let end = content == 0 ? 65_536 : content
        guard start < end, end <= usableSize else { return nil }
        for pointer in stride(from: header + headerSize, to: start, by: 2) {
            let cell = Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1])
            guard (end..<usableSize).contains(cell) else { return nil }
        }
        return start..<end
    }
}
