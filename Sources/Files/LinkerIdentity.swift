// SPDX-License-Identifier: GPL-3.0-or-later

extension InputFile {
    /// The identity that the linker wrote into a program: a hash of all that it linked.
    ///
    /// A stripped copy keeps it, as its code is the same. Read from the note `NT_GNU_BUILD_ID` of a 64-bit ELF file in
    /// little-endian order: `elf(5)` gives the layout, the GNU linker's manual the note (option `--build-id`).
    ///
    /// - Returns: The bytes of the identity, or nil for a file of another kind or one without it.
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

/// What is read of the format ELF-64, by `elf(5)`: offsets and sizes in bytes.
private enum ELF {
    /// The first bytes of a 64-bit file in little-endian order.
    static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1]
    static let headerSize = 64
    static let segmentSize = 56
    /// The kind of a segment that holds notes.
    static let notes = 4
    /// No program has more notes than this.
    static let notesLimit = 1 << 16
    /// The kind of the note that holds the identity, and the name of who defined it.
    static let identityKind = 3
    static let owner: [UInt8] = Array("GNU\0".utf8)

    /// The first note that holds an identity: each has two lengths and a kind, then a name and what it says, both
    /// padded to four bytes.
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
    /// An unsigned number of a few bytes in little-endian order; the highest bit of eight bytes is left out.
    fileprivate func word(_ offset: Int, _ size: Int) -> Int {
        let value = self[offset..<offset + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(value & UInt64(Int.max))
    }
}
