// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Recording

/// Folder `earlier` of the results.
///
/// The folder keeps, under new names, files that would otherwise be lost.
struct EarlierFiles {
    private let results: Folder

    init(of results: Folder) { self.results = results }

    /// Links files of the results into `earlier`; the originals keep their names.
    ///
    /// A file that an interrupted attempt already linked is not linked again.
    ///
    /// - Returns: names of these files in `earlier`.
    func keep(_ names: [String], afterStep: () throws -> Void = {}) throws -> [String] {
        var kept: [String] = []
        for name in names {
            guard results.kind(name) != nil else { continue }
            let earlier = try results.makeFolder(ResultLayout.earlier)
            kept.append(try keep(name, in: earlier))
            try earlier.synchronize()
            try afterStep()
        }
        return kept
    }

    private func keep(_ name: String, in earlier: Folder) throws -> String {
        var number = 1
        while true {
            let second = Self.numbered(name, number)
            if earlier.kind(second) == nil {
                // A hard link is made if possible, otherwise a copy.
                if !results.enter(name, in: earlier, as: second) {
                    let file = try results.file(name)
                    try earlier.replace(second) { copy in try Self.copy(file, to: copy) }
                }
                return second
            }
            if results.isSame(name, as: second, in: earlier) { return second }
            number += 1
        }
    }

    /// Numbered name: `runs.csv`, `runs.2.csv`, `runs.3.csv`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1, let dot = name.firstIndex(of: ".") else { return name }
        return name[..<dot] + ".\(number)" + name[dot...]
    }

    private static func copy(_ file: borrowing InputFile, to copy: borrowing OutputFile) throws(FileError) {
        try eachBlock(of: file) { block throws(FileError) in try copy.write(block) }
    }
}

/// Reads a file block by block.
func eachBlock(of file: borrowing InputFile, _ body: ([UInt8]) throws(FileError) -> Void) throws(FileError) {
    var offset = 0
    while true {
        let block = try file.read(at: offset, count: 1 << 20)
        if block.isEmpty { return }
        try body(block)
        offset += block.count
    }
}

/// Hashes of the files that were written, which show whether a file was changed later.
struct FileHashes {
    private var hashes: [String: UInt64] = [:]
    /// Files that are removed when the new files replace the old ones.
    var gone: [String] = []
    /// Word in the line of a removed file that replaces its hash.
    private static let away = "gone"

    /// Creates an empty list.
    init() {}

    /// Reads the list of hashes in a folder; nil if there is none.
    init?(of folder: Folder) throws(FileError) {
        guard let bytes = try folder.bytes(ResultLayout.checksums, upTo: ResultLayout.largestDocument) else {
            return nil
        }
        for line in bytes.split(separator: 10) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            if words[0] == Self.away { gone.append(words[1]) }
            if let hash = UInt64(words[0], radix: 16) { hashes[words[1]] = hash }
        }
    }

    /// Names of the files, sorted.
    var names: [String] { hashes.keys.sorted() }

    /// Adds a file that was just written.
    mutating func add(_ name: String, in folder: Folder) throws(FileError) {
        hashes[name] = try Self.hash(folder.file(name))
    }

    /// Whether the existing file with this name differs from the file that was written.
    ///
    /// A file without a known hash belongs to the user and counts as changed.
    func isChanged(_ name: String, in folder: Folder) throws(FileError) -> Bool {
        guard folder.kind(name) != nil else { return false }
        return try Self.hash(folder.file(name)) != hashes[name]
    }

    /// Text with one line per file: first the written files by name, then the removed files.
    var text: String {
        names.map { "\(hexadecimal(hashes[$0] ?? 0)) \($0)\n" }.joined()
            + gone.map { "\(Self.away) \($0)\n" }.joined()
    }

    private static func hash(_ file: borrowing InputFile) throws(FileError) -> UInt64 {
        var checksum = Checksum()
        try eachBlock(of: file) { block in checksum.add(block) }
        return checksum.value
    }
}
