import Diagnostics
import Glibc

/// A text with its name and its lines, shared by all nodes read from it.
public final class SourceText: Sendable {
    /// The file as the user named it.
    public let name: String
    /// The whole text.
    public let text: String
    /// The lines without their ends.
    public let lines: [String]

    /// Creates a text from memory.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
        // The two ends of a line of Windows are one character.
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    /// Reads a file; the problem says what the system said.
    public static func read(path: String) -> Result<SourceText, Diagnostics> {
        guard let file = fopen(path, "rb") else { return .failure(Diagnostics("cannot read \(path): \(reason())")) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            bytes += chunk[0..<count]
            if bytes.count > Limits.bytes {
                return .failure(Diagnostics("\(path) is larger than \(Limits.bytes >> 20) MiB, no configuration is"))
            }
            if count < chunk.count { break }
        }
        if ferror(file) != 0 { return .failure(Diagnostics("cannot read \(path): \(reason())")) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .failure(Diagnostics([.notUTF8(bytes, file: path)]))
        }
        return .success(SourceText(name: path, text: text))
    }

    private static func reason() -> String { String(cString: strerror(errno)) }

    /// A line by its number from 1, or nil.
    func line(_ number: Int) -> String? { lines.indices.contains(number - 1) ? lines[number - 1] : nil }
}

/// Bounds that keep a hostile file from filling memory.
enum Limits {
    /// Deepest nesting.
    static let depth = 64
    /// Values after aliases are unfolded.
    static let nodes = 200_000
    /// Size of a file.
    static let bytes = 16 << 20
}
