// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Glibc
import Numerics
import Recording

/// Which build of a program made a record: results of two builds are never mixed.
///
/// The identity is a hash of what the program was linked from, of the versions of the libraries it loads for its
/// arithmetic, and of what their functions give on this processor. A copy of a program is the same build, whatever its
/// name.
public enum Build {
    /// The identity of the running program.
    public static let current = identity(ofProgram: "/proc/self/exe")

    /// The identity of a program by its file; 0 when it cannot be read.
    public static func identity(ofProgram path: String) -> UInt64 {
        guard let content = try? content(ofFile: path) else { return 0 }
        var checksum = Checksum()
        checksum.add(part: content)
        checksum.add(part: gslVersion)
        checksum.add(part: HostDescription.cLibrary)
        checksum.add(part: hexadecimal(ArithmeticProbe.value))
        return max(1, checksum.value)
    }

    /// Refuses a build that is not known: its results would look like those of any other such build.
    static func require(_ identity: UInt64) throws(Diagnostics) {
        guard identity == 0 else { return }
        throw Diagnostics(
            "the program cannot read its own file, so that its results could not be told from another build's",
            hint: "is /proc mounted, and may the program be read?")
    }

    /// What tells a program's content from another's: what its linker hashed it to, or else a hash of its bytes.
    private static func content(ofFile path: String) throws(FileError) -> String {
        let file = try InputFile(path)
        if let identity = try file.linkerIdentity() { return identity.map { "\($0)" }.joined(separator: ".") }
        return hexadecimal(try hash(file))
    }

    /// A hash of a file's bytes, eight at a time: a program is large, and every worker asks.
    private static func hash(_ file: borrowing InputFile) throws(FileError) -> UInt64 {
        let length = file.length()
        var hash = UInt64(length) ^ 0xcbf2_9ce4_8422_2325
        var offset = 0
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while offset < length {
            let count = try file.read(at: offset, into: &block)
            if count == 0 { break }
            offset += count
            // A word that the file does not fill ends in zeros.
            let words = (count + 7) / 8
            for index in count..<words * 8 { block[index] = 0 }
            block.withUnsafeBytes { raw in
                for index in stride(from: 0, to: words * 8, by: 8) {
                    let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
                    hash ^= hash >> 29
                }
            }
        }
        return hash
    }
}
