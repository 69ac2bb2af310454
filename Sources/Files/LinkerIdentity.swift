// SPDX-License-Identifier: GPL-3.0-or-later

extension InputFile {
    /// Identity that the linker wrote into a program: a hash of all linked code.
    ///
    /// A stripped copy has the same identity, because its code is unchanged. The identity is in the note
    /// `NT_GNU_BUILD_ID` of a 64-bit ELF file in little-endian order. Sources: `elf(5)` for the layout, the manual of
    /// the GNU linker (option `--build-id`) for the note.
    ///
    /// - Returns: bytes of the identity; nil for a file of another format, or without an identity.
    public func linkerIdentity() throws(FileError) -> [UInt8]? {
        let header = try read(at: 0, count: ELF.headerSize)
        guard header.count == ELF.headerSize, header.starts(with: ELF.magic) else { return nil }
        let (offset, size, count) = (header.word(32, 8), header.word(54, 2), header.word(56, 2))
        guard size >= ELF.segmentSize, offset < length() else { return nil }
        for index in 0..<count {
            let segment = try read(at: offset + index * size, count: ELF.segmentSize)
            guard segment.count == ELF.segmentSize else { return nil }
            guard segment.word(0, 4) == ELF.notes else { continue }
            let length = min(segment.word(32, 8), ELF.notesLimit)
            if let found = ELF.identity(in: try read(at: segment.word(8, 8), count: length)) { return found }
        }
        return nil
    }
}

/// Fields of the ELF-64 format that are read here, from `elf(5)`; offsets and sizes are in bytes.
private enum ELF {
    /// First bytes of a 64-bit ELF file in little-endian order.
    static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1]
    static let headerSize = 64
    static let segmentSize = 56
    /// Type of a segment that contains notes.
    static let notes = 4
    /// Upper limit for the size of the notes that are read, in bytes.
    static let notesLimit = 1 << 16
    /// Type and owner's name of the note that contains the identity.
    static let identityKind = 3
    static let owner: [UInt8] = Array("GNU\0".utf8)

    /// Content of the first note with an identity.
    ///
    /// A note starts with three numbers: the length of its name, the length of its content, and its type. The name and
    /// the content follow, both padded to four bytes.
    static func identity(in notes: [UInt8]) -> [UInt8]? {
        var at = 0
        while at + 12 <= notes.count {
            let (nameLength, length, kind) = (notes.word(at, 4), notes.word(at + 4, 4), notes.word(at + 8, 4))
            let name = at + 12
            let content = name + (nameLength + 3) / 4 * 4
            guard content + length <= notes.count else { return nil }
            if kind == identityKind, length > 0, notes[name..<name + nameLength].elementsEqual(owner) {
                return Array(notes[content..<content + length])
            }
            at = content + (length + 3) / 4 * 4
        }
        return nil
    }
}

extension [UInt8] {
    /// Unsigned little-endian number of `size` bytes; the highest bit of an eight-byte number is dropped.
    fileprivate func word(_ offset: Int, _ size: Int) -> Int {
        let value = self[offset..<offset + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(value & UInt64(Int.max))
    }
}
