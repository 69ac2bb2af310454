// SPDX-License-Identifier: GPL-3.0-or-later
// ReaderFuzzing names every reader of the program that is given bytes of strangers, as a function of bytes.
// In: the bytes of a file, or the text of an option. Out: nothing; a reader takes them or throws a message, which is
// written out as the user would see it. What traps, hangs or fills the memory ends the process.
// `Tests/FuzzReaders` drives it by coverage; `ReaderCorpusTests` replays the files of `Corpus`.
// Read first: this file, then the files beside it, one for each family of readers.

import Diagnostics
import Files
import Glibc

/// One reader, with the inputs that changes begin from.
public struct ReaderTarget: Sendable {
    /// The word for it on the command line, and the name of its folder in the corpus.
    public let name: String
    /// Files and folders of the repository whose content it reads, each with the ending of the names that count.
    private let sources: [(path: String, ending: String)]
    /// Texts that it reads.
    private let texts: [String]
    /// Longest input worth a try.
    public let longest: Int
    /// Makes more of them.
    private let made: @Sendable () throws -> [[UInt8]]
    private let reader: @Sendable (_ bytes: [UInt8]) throws -> Void

    init(
        _ name: String, _ sources: [(path: String, ending: String)] = [], texts: [String] = [], longest: Int = 1 << 14,
        made: @escaping @Sendable () throws -> [[UInt8]] = { [] },
        _ reader: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void
    ) {
        self.name = name
        self.sources = sources
        self.texts = texts
        self.longest = longest
        self.made = made
        self.reader = reader
    }

    /// Every reader.
    public static let all: [ReaderTarget] = importers + experiments + results + words

    /// Reads an input; gives what is said when it is refused, nil when it was taken.
    @discardableResult
    public func read(_ bytes: [UInt8]) -> String? {
        do {
            try reader(bytes)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// What changes begin from, without the corpus.
    public func seeds() throws -> [[UInt8]] {
        let root = FilePath.folder(of: FilePath.folder(of: FilePath.folder(of: #filePath)))
        var seeds = try texts.map { Array($0.utf8) } + made()
        for (path, ending) in sources {
            let whole = root + "/" + path
            guard isDirectory(whole) else {
                seeds.append(try readFile(whole))
                continue
            }
            for name in directoryEntries(whole) where name.hasSuffix(ending) && !isDirectory(whole + "/" + name) {
                seeds.append(try readFile(whole + "/" + name))
            }
        }
        return seeds.filter { $0.count <= longest }
    }

    /// The folder of its files in the corpus.
    public var corpus: String { FilePath.folder(of: #filePath) + "/Corpus/" + name }
}

/// The files that readers of paths are given, in a folder of this process in memory.
enum Scratch {
    static let folder: String = {
        let folder = "/dev/shm/flotsam-readers-\(getpid())"
        try? createDirectory(folder)
        atexit { removeFolder() }
        return folder
    }()

    private static func removeFolder() {
        let path = "/dev/shm/flotsam-readers-\(getpid())"
        for name in directoryEntries(path) { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// Writes bytes to a file; gives its path.
    static func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder + "/" + name
        try OutputFile(creating: path).write(bytes)
        return path
    }

    /// Makes a folder in it.
    static func folder(_ name: String) throws -> String {
        let path = folder + "/" + name
        try createDirectory(path)
        return path
    }
}

extension [UInt8] {
    /// The bytes as a text, as readers of files take them.
    func text(_ name: String) throws(Diagnostics) -> String {
        guard let text = String(validating: self, as: UTF8.self) else {
            throw Diagnostics([.notUTF8(self, file: name)])
        }
        return text
    }
}
