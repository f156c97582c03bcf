// SPDX-License-Identifier: MIT

/// The names in what getdents64(2) has given, `.` and `..` left out.
struct DirectoryEntries {
    /// Length and name follow an inode and an offset of eight bytes each; a byte of type comes before the name.
    private static let lengthOffset = 16
    private static let nameOffset = 19

    private var records: UnsafeRawBufferPointer

    /// Looks at a buffer that ``FileBuffer/fillEntries(from:)`` has filled.
    init(_ scanner: ByteScanner) {
        records = scanner.rest
    }

    /// The next name, without the NUL after it; nil after the last.
    mutating func next() -> ByteScanner? {
        while records.count > Self.nameOffset {
            let length = Int(records.loadUnaligned(fromByteOffset: Self.lengthOffset, as: UInt16.self))
            guard length > Self.nameOffset, length <= records.count else { return nil }
            var name = ByteScanner(UnsafeRawBufferPointer(rebasing: records[Self.nameOffset..<length]))
            records = UnsafeRawBufferPointer(rebasing: records.dropFirst(length))
            guard let name = name.next(before: 0) else { continue }
            if name.rest.elementsEqual(".".utf8) || name.rest.elementsEqual("..".utf8) { continue }
            return name
        }
        return nil
    }
}
