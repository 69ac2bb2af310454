// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Platform
import Recording

/// Commit of the repository that contains a file.
///
/// The commit is read from Git's files, without running Git (gitrepository-layout(5),
/// https://git-scm.com/docs/gitrepository-layout).
///
/// The commit does not cover uncommitted changes. Hashes of the experiment and the program, which the manifest also
/// contains, cover them.
enum SourceCommit {
    /// Commit of the repository around a file or folder, as forty or sixty-four hexadecimal digits.
    ///
    /// The result is nil outside of a repository, and in a repository without a commit.
    static func around(_ path: String) -> String? {
        guard var folder = FilePath.real(path) else { return nil }
        while folder != "/" {
            folder = FilePath.folder(of: folder)
            if let repository = repository(at: folder) { return head(of: repository) }
        }
        return nil
    }

    /// Commits of the experiment file and of the program, for the manifest.
    static func json(experiment: String) -> JSONValue {
        let commits = [("experiment", around(experiment)), ("program", around(OperatingSystem.program))]
        return .object(
            Dictionary(uniqueKeysWithValues: commits.map { ($0, $1.map { .string($0) } ?? .null) }))
    }

    /// Folder of Git's files for a work tree.
    ///
    /// In a linked work tree, `.git` is a file that contains the folder's path.
    private static func repository(at folder: String) -> String? {
        let git = folder + "/.git"
        if isDirectory(git) { return git }
        guard let text = text(git), text.hasPrefix("gitdir: ") else { return nil }
        return FilePath.join(folder, String(text.dropFirst(8)))
    }

    private static func head(of repository: String) -> String? {
        guard let head = text(repository + "/HEAD") else { return nil }
        guard head.hasPrefix("ref: ") else { return commit(head) }
        let name = String(head.dropFirst(5))
        // A linked work tree uses the branches of the main work tree.
        let common = text(repository + "/commondir").map { FilePath.join(repository, $0) } ?? repository
        for folder in [repository, common] {
            if let found = text("\(folder)/\(name)").flatMap(commit) { return found }
        }
        let packed = (text(common + "/packed-refs") ?? "").split(separator: "\n")
        return packed.first { $0.hasSuffix(" " + name) }.flatMap { commit(String($0.prefix { $0 != " " })) }
    }

    private static func commit(_ text: String) -> String? {
        [40, 64].contains(text.utf8.count) && text.allSatisfy(\.isHexDigit) ? text : nil
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? readFile(path, upTo: 16 << 20) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.reversed().drop(while: \.isWhitespace).reversed())
    }
}
