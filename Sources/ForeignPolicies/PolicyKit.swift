// SPDX-License-Identifier: GPL-3.0-or-later
import Files

/// A whole policy to start from, in a language of one's own.
///
/// The files of the folder `Kit` are part of the program, so that it needs no checkout to write them.
public enum PolicyKit: String, Sendable, CaseIterable {
    case c, rust, swift, python

    /// A file of the kit.
    public struct File: Sendable {
        /// Its path.
        public let path: String
        /// What it holds.
        public let text: String
        /// Whether it is the same for everybody, so that one that is there already may be left alone.
        public let isShared: Bool
    }

    /// How a file of the language ends.
    public var ending: String {
        switch self {
        case .c: ".c"
        case .rust: ".rs"
        case .swift: ".swift"
        case .python: ".py"
        }
    }

    /// The files for a policy at a path that has the language's ending.
    public func files(_ path: String) -> [File] {
        let folder = FilePath.folder(of: path)
        let name = String(FilePath.name(of: path).dropLast(ending.count))
        let own = File(path: path, text: text.replacing("NAME", with: name), isShared: false)
        let (shared, bytes) =
            self == .python
            ? ("flotsam_policy.py", PackageResources.flotsam_policy_py_in)
            : ("flotsam_policy.h", PackageResources.flotsam_policy_h_in)
        let beside = File(
            path: FilePath.join(folder, shared), text: String(decoding: bytes, as: UTF8.self), isShared: true)
        return [own, beside]
    }

    /// The command that builds a policy, as seen from its folder; nil where there is nothing to build.
    public func build(_ path: String) -> String? {
        files(path)[0].text.split(separator: "\n").lazy.compactMap { line in
            line.firstRange(of: "Build:").map { String(line[$0.upperBound...].drop { $0 == " " }) }
        }.first
    }

    private var text: String {
        let bytes =
            switch self {
            case .c: PackageResources.policy_c_in
            case .rust: PackageResources.policy_rs_in
            case .swift: PackageResources.policy_swift_in
            case .python: PackageResources.policy_py_in
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}
