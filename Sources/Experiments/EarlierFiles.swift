// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Recording

/// The folder `earlier` of results, into which goes what would be lost, under a name that nothing there has.
struct EarlierFiles {
    private let results: Folder

    init(of results: Folder) { self.results = results }

    /// Enters files of the results under a second name in `earlier`: they keep their first.
    ///
    /// A file that is there already, because an earlier writing was ended, is not entered twice.
    ///
    /// - Returns: The names that they have there.
    func keep(_ names: [String], afterStep: () throws -> Void = {}) throws -> [String] {
        var kept: [String] = []
        for name in names {
            guard let home = try ResultLayout.home(of: name, in: results) else { continue }
            let earlier = try results.makeFolder(ResultLayout.earlier)
            kept.append(try keep(name, of: home, in: earlier))
            try earlier.synchronize()
            try afterStep()
        }
        return kept
    }

    private func keep(_ name: String, of home: Folder, in earlier: Folder) throws -> String {
        var number = 1
        while true {
            let second = Self.numbered(name, number)
            if earlier.kind(second) == nil {
                // The same file under two names; a file system without that copies it.
                if !home.enter(name, in: earlier, as: second) {
                    let file = try home.file(name)
                    try earlier.replace(second) { copy in try Self.copy(file, to: copy) }
                }
                return second
            }
            if home.isSame(name, as: second, in: earlier) { return second }
            number += 1
        }
    }

    /// `runs.csv`, `runs.2.csv`, `runs.3.csv`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1, let dot = name.firstIndex(of: ".") else { return name }
        return name[..<dot] + ".\(number)" + name[dot...]
    }

    private static func copy(_ file: borrowing InputFile, to copy: borrowing OutputFile) throws(FileError) {
        try eachBlock(of: file) { block throws(FileError) in try copy.write(block) }
    }
}

/// Goes through a file a block at a time.
func eachBlock(of file: borrowing InputFile, _ body: ([UInt8]) throws(FileError) -> Void) throws(FileError) {
    var offset = 0
    while true {
        let block = try file.read(at: offset, count: 1 << 20)
        if block.isEmpty { return }
        try body(block)
        offset += block.count
    }
}

/// The hashes of the files of a writing, by which a file is known that somebody changed since.
struct FileHashes {
    private var hashes: [String: UInt64] = [:]

    /// Of a writing of nothing.
    init() {}

    /// Reads those of the present tables; empty where nothing says them.
    init(of results: Folder) throws(FileError) {
        let home = try ResultLayout.presentTables(results) ?? results
        guard let bytes = try home.bytes(ResultLayout.checksums, upTo: ResultLayout.largestDocument) else { return }
        for line in bytes.split(separator: 10) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
            if words.count == 2, let hash = UInt64(words[0], radix: 16) { hashes[String(words[1])] = hash }
        }
    }

    /// Adds a file that was just written.
    mutating func add(_ name: String, in folder: Folder) throws(FileError) {
        hashes[name] = try Self.hash(folder.file(name))
    }

    /// Whether a file of the results is not as it was written.
    ///
    /// A plain file counts as the user's where no hash is known; in a generation it was left by a version of the
    /// program that knew none.
    func isChanged(_ name: String, of results: Folder) throws(FileError) -> Bool {
        guard let home = try ResultLayout.home(of: name, in: results) else { return false }
        guard let hash = hashes[name] else { return home === results }
        return try Self.hash(home.file(name)) != hash
    }

    /// One line for each file, by name.
    var text: String {
        hashes.sorted { $0.key < $1.key }.map { "\(hexadecimal($0.value)) \($0.key)\n" }.joined()
    }

    private static func hash(_ file: borrowing InputFile) throws(FileError) -> UInt64 {
        var checksum = Checksum()
        try eachBlock(of: file) { block in checksum.add(block) }
        return checksum.value
    }
}
