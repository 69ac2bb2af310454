// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Platform
import Vocabulary

/// Files with the code of a policy, and their hashes.
///
/// `checksum` identifies the code that made a result. `fingerprint` and `content` identify the code that the user
/// permitted, with and without its folder.
struct CodeFiles {
    /// Largest file of code, in bytes.
    private static let largest = 1 << 28

    let files: [String]
    let checksum: UInt64
    /// Hash of the code and its folder.
    let fingerprint: String
    /// Hash of the code without its folder.
    let content: String
    /// Content of a library.
    ///
    /// These bytes are both hashed and loaded, so a change of the file between the two steps has no effect.
    let library: [UInt8]

    /// Reads the files: a library, or the files that the words of a command and the key `reads` name.
    init(_ code: ForeignCode) throws(ForeignPolicyError) {
        var checksum = Checksum()
        var secure = SecureHash()
        var files: [String] = []
        var library: [UInt8] = []
        let origin: String
        switch code {
        case .library(let path):
            library = try Self.read(path, isLibrary: true)
            files = [path]
            checksum.add(part: "library")
            checksum.add(part: Self.sum(library))
            secure.add(part: Array("library".utf8))
            secure.add(part: library)
            origin = FilePath.join(FilePath.real(FilePath.folder(of: path)) ?? "", FilePath.name(of: path))
        case .process(let words, let folder, let reads):
            secure.add(part: Array("process".utf8))
            var secured: [String] = []
            for word in words {
                checksum.add(part: word)
                secure.add(part: Array(word.utf8))
                let path = FilePath.join(folder, word)
                guard isRegularFile(path) else { continue }
                secured.append(path)
                // An absolute path, such as that of an interpreter, is independent of the experiment's folder.
                if !word.hasPrefix("/") { files.append(path) }
            }
            for path in reads.map({ FilePath.join(folder, $0) }) where !files.contains(path) { files.append(path) }
            for path in secured + files.filter({ !secured.contains($0) }) {
                let bytes = try Self.read(path, isLibrary: false)
                secure.add(part: Array(SecureHash.of(bytes).utf8))
            }
            for path in files { checksum.add(part: Self.sum(try Self.read(path, isLibrary: false))) }
            origin = FilePath.real(folder) ?? folder
        }
        content = secure.hexadecimal()
        secure.add(part: Array(origin.utf8))
        fingerprint = secure.hexadecimal()
        self.files = files
        self.checksum = checksum.value
        self.library = library
    }

    /// Content of a regular file of limited size.
    ///
    /// A library must not be a symbolic link.
    private static func read(_ path: String, isLibrary: Bool) throws(ForeignPolicyError) -> [UInt8] {
        guard !isLibrary || FilePath.link(at: path) == nil else {
            throw ForeignPolicyError(
                "\(path) is a symbolic link; a policy must be a plain file", hint: "name the file that it leads to")
        }
        guard !FilePath.exists(path) || isRegularFile(path) else {
            throw ForeignPolicyError("\(path) is not a plain file; the code of a policy must be in plain files")
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(path, upTo: largest + 1)
        } catch {
            throw ForeignPolicyError("cannot read \(path): \(error.reason)")
        }
        guard bytes.count <= largest else {
            throw ForeignPolicyError("\(path) is larger than \(largest >> 20) MiB, the limit for a policy")
        }
        return bytes
    }

    private static func sum(_ bytes: [UInt8]) -> String { String(Checksum.of(bytes), radix: 16) }

    func policy<Entry>(_ entry: Entry, isKnown: Bool = true) -> ForeignPolicy<Entry> {
        ForeignPolicy(entry: entry, checksum: checksum, files: files, fingerprint: fingerprint, isKnown: isKnown)
    }
}
